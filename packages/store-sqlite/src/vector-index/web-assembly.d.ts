// The parts of WebAssembly in use; Node's types leave it to the browser's.
declare namespace WebAssembly {
  class Memory {
    constructor(limits: { readonly initial: number; readonly maximum?: number; readonly shared?: true });
    /** An `ArrayBuffer` of one that is not shared. */
    readonly buffer: SharedArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: { readonly env: { readonly memory: Memory } });
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function validate(bytes: Uint8Array): boolean;
}
