/**
 * Node's HTTP and TLS, loaded when they are used. An `import` of `node:http` reads each of its exports, and one of them
 * loads Node's own undici: 55 ms that a start of an agent would wait for. TLS is another 10, and not everybody's.
 */
export const http = () => process.getBuiltinModule("node:http");
export const https = () => process.getBuiltinModule("node:https");
export const tls = () => process.getBuiltinModule("node:tls");
