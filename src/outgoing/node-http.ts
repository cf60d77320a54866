/**
 * Of `node:http` what we use. An import of that module would evaluate all that it exports, and one of its exports loads a WebSocket client:
 * 40 ms and 13 MB in each process and each thread.
 */
export const { createServer, request } = process.getBuiltinModule('node:http');
