// Package mcp is the service as tools for AI assistants: a server of the Model Context Protocol over a pair of streams.
// Each tool is an operation of the service, with the fields of its request as arguments, and answers with the text that
// the command line prints; where the response is short it is structured content beside that. What fails is a result
// too, with the code, the witness and the hint of the service.
//
// The server holds nothing between calls, reads no files and knows no network.
package mcp
