// Parts of Prisma's client that its types leave out.
declare module "@prisma/client/runtime/query_compiler_small_bg.*.wasm-base64.mjs" {
  export const wasm: string;
}

declare module "@prisma/client/runtime/query_compiler_small_bg.*" {
  type Loading = NonNullable<import("@prisma/client/runtime/client").GetPrismaClientConfig["compilerWasm"]>;
  type Compiler = Awaited<ReturnType<Loading["getRuntime"]>>;
  export const __wbg_set_wasm: Compiler["__wbg_set_wasm"];
  export const QueryCompiler: Compiler["QueryCompiler"];
}
