// Package lines answers requests for the packages of other languages: a JSON object a line in, a JSON object a line
// out. The package girih for Python starts such a server as its child and speaks to it:
//
//	{"girih":"0.1.0","lines":1}                                                 the server
//	{"id":1,"do":"eval","with":{"expr":"size((4,8):(8,1))"}}                    the client
//	{"id":1,"answer":{"ok":true,"kind":"int","value":"32"}}                     the server
//	{"id":2,"do":"eval","each":[{"expr":"1+1"},{"expr":"2:1 o 3"}]}             the client
//	{"id":2,"answers":[{"ok":true,...},{"ok":true,...}]}                        the server
//	{"id":3,"cancel":true}                                                      the client
//
// [service.ScriptOperations] lists the operations with their arguments, and "words" asks for the text of the command
// line as well. The operation "explore" serves the explorer and answers its address. The server ends with its input, so
// that nothing is left running when the client is gone, however it ended. Each request may take any time and the memory
// of one command of the command line, which all requests share.
package lines
