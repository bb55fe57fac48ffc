// Package mcp offers the service as tools for AI assistants: a server of the Model Context Protocol over a pair of
// streams. Each tool is an operation of the service. Its arguments are the fields of the request, and its answer is the
// text that the command line prints; a short response is also structured content. A failure is also a result, with the
// code, the witness and the hint of the service.
//
// The server keeps nothing between calls, reads no files and uses no network.
package mcp
