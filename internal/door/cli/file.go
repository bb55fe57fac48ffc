package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// readUpTo reads a file that the user has named, which may be a pipe. It refuses more than the given number of bytes.
func readUpTo(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if info.Size() > most {
			return nil, tooLarge(name, most)
		}
		b.Grow(int(info.Size()) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(f, most+1))
	if err == nil && n > most {
		err = tooLarge(name, most)
	}
	return b.Bytes(), err
}

// readRegular is readUpTo for a file that another file names. It opens neither pipes, which may never end,
// nor devices.
func readRegular(name string, most int64) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return readUpTo(name, most)
}

func tooLarge(name string, most int64) error {
	return fmt.Errorf("expected at most %d bytes in %s, found more", most, name)
}
