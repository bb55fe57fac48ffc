package main

import (
	"os"
	"path/filepath"

	"girih/internal/door/web/deflate"
	"girih/internal/file"
)

// packSeeds writes seeds.gz, the documents seeds/*.txt in the order of their names, each with a zero byte after it, to
// the folder of package document.
func packSeeds(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "seeds", "*.txt"))
	if err != nil {
		return err
	}
	var all []byte
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		all = append(append(all, text...), 0)
	}
	return file.Replace(filepath.Join(dir, "seeds.gz"), deflate.Gzip(all), 0o644)
}
