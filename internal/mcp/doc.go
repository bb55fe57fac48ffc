// Package mcp is the service as tools for AI assistants: a server of the Model Context Protocol over a pair of streams. Each tool is
// an operation of the service with its request as input and its response as structured content, beside the text that the command
// line prints. What fails is a result too, with the code, the witness and the hint of the service.
//
// The server holds nothing between calls, reads no files and knows no network.
package mcp
