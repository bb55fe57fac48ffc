// Package hostile makes inputs that need as much time and memory as possible: as large as the limits on sizes allow, or
// larger. Tests use them to check the limits of the engine, of HTTP and of MCP.
package hostile
