// Package budget bounds one request: its time, and the bytes that it keeps. A [Budget] belongs to one request, a [Pool]
// is the memory that requests share, and [Turns] decides which requests run, so that no client keeps others waiting.
//
// Work asks its budget at every step, or once in a few thousand steps, and ends when the budget refuses. Nothing ends
// work from outside.
package budget
