// Command release writes the files that belong to the binaries of a release: the licences of their parts, the packed
// glossary, the operations for Python and, for each binary, its bill of materials as CycloneDX and its wheel.
//
//	go run ./internal/cmd/release notice FILE
//	go run ./internal/cmd/release glossary DIR
//	go run ./internal/cmd/release python DIR
//	go run ./internal/cmd/release sbom BINARY [COMMIT TIME] >FILE
//	go run ./internal/cmd/release wheel BINARY OS/ARCH DIR
//	go run ./internal/cmd/release version
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"girih/internal/door/web/deflate"
	"girih/internal/file"
	"girih/internal/version"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// packers write the packed files of a folder.
var packers = map[string]func(dir string) error{"glossary": packGlossary, "seeds": packSeeds, "python": packPython}

func run(args []string, stdout io.Writer) error {
	switch {
	case len(args) == 2 && args[0] == "notice":
		parts, err := findParts()
		if err != nil {
			return err
		}
		text := []byte(noticeText(parts))
		if err := file.Replace(args[1], text, 0o644); err != nil {
			return err
		}
		return file.Replace(args[1]+".gz", deflate.Gzip(text), 0o644)
	case len(args) == 2 && packers[args[0]] != nil:
		return packers[args[0]](args[1])
	case (len(args) == 2 || len(args) == 4) && args[0] == "sbom":
		return printBOM(stdout, args[1], args[2:])
	case len(args) == 4 && args[0] == "wheel":
		name, err := writeWheel(".", args[3], args[1], args[2])
		if err == nil {
			_, err = fmt.Fprintln(stdout, name)
		}
		return err
	case len(args) == 1 && args[0] == "version":
		_, err := fmt.Fprintln(stdout, version.Number)
		return err
	}
	return errors.New("expected notice FILE, glossary DIR, seeds DIR, python DIR, sbom BINARY [COMMIT TIME], wheel BINARY OS/ARCH DIR or version")
}

// printBOM prints the bill of materials of a binary.
func printBOM(stdout io.Writer, binary string, commit []string) error {
	parts, err := findParts()
	if err != nil {
		return err
	}
	bom, err := bomOf(binary, parts, commit)
	if err != nil {
		return err
	}
	_, err = stdout.Write(bom)
	return err
}
