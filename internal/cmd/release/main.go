// Command release writes the files that belong to the binaries of a release: the licences of their parts, the packed
// glossary, documents, kernels and glyphs, the operations for Python, the package of npm, the site, the man page and,
// for each binary, its bill of materials as CycloneDX and its wheel. It also writes what go build leaves TLS out with.
//
//	go run ./internal/cmd/release notice FILE
//	go run ./internal/cmd/release glossary DIR
//	go run ./internal/cmd/release gzip PATTERN
//	go run ./internal/cmd/release seeds DIR
//	go run ./internal/cmd/release listing DIR
//	go run ./internal/cmd/release glyphs DIR
//	go run ./internal/cmd/release python DIR
//	go run ./internal/cmd/release sbom BINARY [COMMIT TIME] >FILE
//	go run ./internal/cmd/release wheel BINARY OS/ARCH DIR
//	go run ./internal/cmd/release npm ENGINE DIR
//	go run ./internal/cmd/release site STATIC DIR
//	go run ./internal/cmd/release man BINARY >girih.1
//	go run ./internal/cmd/release overlay DIR
//	go run ./internal/cmd/release version
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"girih/internal/door/web/deflate"
	"girih/internal/door/web/engine"
	"girih/internal/file"
	"girih/internal/version"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A verb is one thing that release writes, with the numbers of arguments that it takes.
type verb struct {
	args []int
	do   func(stdout io.Writer, args []string) error
}

var verbs = map[string]verb{
	"notice":   {[]int{1}, func(_ io.Writer, args []string) error { return writeNotice(args[0]) }},
	"glossary": {[]int{1}, func(_ io.Writer, args []string) error { return packGlossary(args[0]) }},
	"gzip":     {[]int{1}, func(_ io.Writer, args []string) error { return pack(args[0]) }},
	"seeds":    {[]int{1}, func(_ io.Writer, args []string) error { return packSeeds(args[0]) }},
	"listing":  {[]int{1}, func(_ io.Writer, args []string) error { return packListing(args[0]) }},
	"glyphs":   {[]int{1}, func(_ io.Writer, args []string) error { return packGlyphs(args[0]) }},
	"python":   {[]int{1}, func(_ io.Writer, args []string) error { return packPython(args[0]) }},
	"sbom":     {[]int{1, 3}, func(w io.Writer, args []string) error { return printBOM(w, args[0], args[1:]) }},
	"wheel": {[]int{3}, func(w io.Writer, args []string) error {
		name, err := writeWheel(".", args[2], args[0], args[1])
		return printName(w, name, err)
	}},
	"npm": {[]int{2}, func(w io.Writer, args []string) error {
		name, err := writeNPM(".", args[0], args[1])
		return printName(w, name, err)
	}},
	"site": {[]int{2}, func(_ io.Writer, args []string) error { return writeSite(".", args[0], args[1]) }},
	"overlay": {[]int{1}, func(w io.Writer, args []string) error {
		name, err := engine.WithoutTLS(args[0])
		return printName(w, name, err)
	}},
	"man":     {[]int{1}, func(w io.Writer, args []string) error { return printManual(w, args[0]) }},
	"version": {[]int{0}, func(w io.Writer, _ []string) error { return printName(w, version.Number, nil) }},
}

func run(args []string, stdout io.Writer) error {
	if len(args) > 0 && slices.Contains(verbs[args[0]].args, len(args)-1) {
		return verbs[args[0]].do(stdout, args[1:])
	}
	return errors.New("expected notice FILE, glossary DIR, gzip PATTERN, seeds DIR, listing DIR, glyphs DIR, " +
		"python DIR, sbom BINARY [COMMIT TIME], wheel BINARY OS/ARCH DIR, npm ENGINE DIR, site STATIC DIR, man BINARY, overlay DIR or version")
}

// printName prints what was written, on a line.
func printName(stdout io.Writer, name string, err error) error {
	if err == nil {
		_, err = fmt.Fprintln(stdout, name)
	}
	return err
}

// writeNotice writes the licences to a file, and packed to another.
func writeNotice(name string) error {
	parts, err := findParts()
	if err != nil {
		return err
	}
	text := []byte(noticeText(parts))
	if err := file.Replace(name, text, 0o644); err != nil {
		return err
	}
	return file.Replace(name+".gz", deflate.Gzip(text), 0o644)
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
