// Package budget bounds what one request takes: its time, and the bytes of what it keeps. A [Budget] belongs to one
// request, a [Pool] is the memory that requests share, and [Turns] says which of them are at work, so that no client
// keeps others waiting.
//
// Work asks its budget at every step, or every few thousand of them, and ends when it is told to. Nothing is taken from
// it by force.
package budget
