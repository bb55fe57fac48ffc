// Command ptxprint reads PTX on its standard input and prints the tree that package ptx parses. ptx/testdata/compile.sh
// passes the output to ptxas.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"girih/ptx"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "ptxprint:", err)
		if e, ok := errors.AsType[*ptx.Error](err); ok {
			fmt.Fprintln(os.Stderr, e.Caret())
		}
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	src, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	m, err := ptx.Parse(string(src))
	if err != nil {
		return err
	}
	_, err = m.WriteTo(out)
	return err
}
