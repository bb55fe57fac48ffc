// Package runfile reads descriptions of one run of a kernel, RUN.json: how it is launched, what its parameters and
// buffers hold, and what it has to leave in them.
//
//	Parse       a text becomes a File; what is wrong is named by its field
//	Schema      the same as a JSON schema
//	Skeleton    a File with the parameters of a kernel, to be filled in
//	File.Load   a File with the files that it names becomes Inputs: bytes, within the limits of a Host
//	Inputs.New  Inputs become a Run of a program: its memory and its launch
//	Run.Check   what a Run left is compared with what it has to leave
//
// The tags of the fields of [File] are all that there is of the format: the reader, the schema and the errors are made
// of them. The corpus of package sim is written in it.
package runfile
