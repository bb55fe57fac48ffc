package main

import (
	"errors"
	"os"
	"path/filepath"

	"girih/internal/door/web/deflate"
	"girih/internal/file"
)

// pack writes NAME.gz for each file that matches a pattern. Package packed reads it.
func pack(pattern string) error {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("no file matches " + pattern)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := file.Replace(name+".gz", deflate.Gzip(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
