// Command girih computes with the layouts of GPU kernels: it evaluates expressions, prints layouts, explains the
// functions of the language and runs conformance vectors.
package main

import (
	"os"

	"girih/internal/cli"
	"girih/internal/repl"
)

func main() {
	app := cli.App{REPL: repl.Run}
	os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
