package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"girih/internal/door/web/deflate"
	"girih/internal/file"
)

// kernels finds the functions that are kernels or parts of them.
var kernels = regexp.MustCompile(`\*kernel\.K\b`)

// packListing writes kernels.gz, the files of examples/ that have kernels, to the folder of package listing: the name
// and the text of each, with a zero byte after both.
func packListing(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "..", "..", "examples", "*.go"))
	if err != nil {
		return err
	}
	var all []byte
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, "_test.go") || !kernels.Match(text) {
			continue
		}
		all = append(append(all, filepath.Base(name)...), 0)
		all = append(append(all, text...), 0)
	}
	return file.Replace(filepath.Join(dir, "kernels.gz"), deflate.Gzip(all), 0o644)
}
