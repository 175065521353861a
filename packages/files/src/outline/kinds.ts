/** Names of grammar nodes as agents see them. Any other node is a `block`. */
export const KINDS: Readonly<Record<string, string>> = {
  // JavaScript, TypeScript
  function_declaration: "function",
  generator_function_declaration: "function",
  function_signature: "function",
  class_declaration: "class",
  abstract_class_declaration: "class",
  method_definition: "method",
  interface_declaration: "interface",
  type_alias_declaration: "type",
  enum_declaration: "enum",
  internal_module: "module",
  lexical_declaration: "const",
  variable_declaration: "const",
  import_statement: "import",
  // Python
  function_definition: "function",
  class_definition: "class",
  import_from_statement: "import",
  future_import_statement: "import",
  // Go
  method_declaration: "method",
  type_declaration: "type",
  const_declaration: "const",
  var_declaration: "const",
  import_declaration: "import",
  package_clause: "import",
  // Rust
  function_item: "function",
  struct_item: "struct",
  union_item: "struct",
  enum_item: "enum",
  trait_item: "trait",
  impl_item: "impl",
  mod_item: "module",
  macro_definition: "macro",
  type_item: "type",
  const_item: "const",
  static_item: "const",
  use_declaration: "import",
  extern_crate_declaration: "import",
  // Java
  constructor_declaration: "method",
  record_declaration: "class",
  annotation_type_declaration: "interface",
  package_declaration: "import",
};

/** Stands above what it is about, and goes with it. */
export const ABOVE: ReadonlySet<string> = new Set([
  "comment",
  "line_comment",
  "block_comment",
  "decorator",
  "attribute_item",
  "inner_attribute_item",
]);
