// Package runfile reads RUN.json, the description of one run of a kernel: its launch, the contents of its parameters
// and buffers, and the contents that it must leave.
//
//	Parse       a text becomes a File; errors name the field
//	Schema      the same as a JSON schema
//	Skeleton    a File with the parameters of a kernel, to be filled in
//	File.Load   a File with the files that it names becomes Inputs: bytes, within the limits of a Host
//	Inputs.New  Inputs become a Run of a program: its memory and its launch
//	Run.Check   compares the buffers after a Run with the expected contents
//
// The tags of the fields of [File] define the format: the reader, the schema and the errors follow from them. The
// corpus of package sim uses this format. To read the source, begin with file.go (the format), then decode.go and
// check.go (reading), inputs.go (loading and running) and compare.go; skeleton.go, trace.go and guess.go make and
// explain skeletons.
package runfile
