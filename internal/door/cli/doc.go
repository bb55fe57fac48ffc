// Package cli is the command line of girih: its commands translate flags and arguments to calls of package
// service, and responses to text or JSON.
//
// Results go to standard output and everything else to standard error. The exit status is 0 if all is fine, 1 if
// an expression or a check failed, and 2 for wrong usage.
package cli
