// Package file writes files whole or not at all: a disk that is full, or an end in between, leaves what was there
// before.
package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Temporary is how the names of files begin that are being written. An end in between, without a signal, can leave one.
const Temporary = ".girih-"

// ErrNotAFile is the error for a name of something that is not a file: a folder, a named pipe, a socket.
var ErrNotAFile = errors.New("it is not a file")

// Replace sets the content of the file with that name. The content goes to a new file in the same folder, which then
// takes the name, so a reader finds the old content or the new one. A link stays a link, and its target is replaced. An
// existing file keeps its mode; a new one has perm, less the umask. Devices such as /dev/null are written to.
//
// The error is [ErrNotAFile], before anything could wait, or the system's.
func Replace(name string, content []byte, perm fs.FileMode) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("%s is a link to nothing", name)
		}
		return write(name, content, mode{perm: perm})
	case err != nil:
		return err
	case info.Mode()&fs.ModeCharDevice != 0:
		return os.WriteFile(name, content, perm)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is %s: %w", name, kind(info.Mode()), ErrNotAFile)
	}
	// A user who may not write to the file must not replace it either, although the folder would allow this.
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return err
	}
	return write(name, content, mode{perm: info.Mode().Perm(), exact: true})
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// A mode is the mode of a new file: perm, less the umask unless it is exact.
type mode struct {
	perm  fs.FileMode
	exact bool
}

// write makes the new file and renames it.
func write(name string, content []byte, m mode) error {
	f, err := create(filepath.Dir(name), m.perm)
	if err != nil {
		return about(name, err)
	}
	_, err = f.Write(content)
	if err == nil && m.exact {
		err = f.Chmod(m.perm)
	}
	if err == nil {
		err = f.Sync() // some file systems report only here that the disk is full
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is more informative
	}
	return about(name, err)
}

// about names the file that was to be written in the error, not the temporary one.
func about(name string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: e.Op, Path: name, Err: e.Err}
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: e.Op, Path: name, Err: e.Err}
	}
	return err
}

// create opens a file of a new name. os.CreateTemp has the mode 0600 and ignores the umask.
func create(dir string, perm fs.FileMode) (*os.File, error) {
	for try := 0; ; try++ {
		name := filepath.Join(dir, Temporary+fmt.Sprintf("%08x", rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm|0o200)
		if !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, err
		}
	}
}

// Append adds content at the end of a file, or makes one. Where not all of it can be written, what was added is taken
// back.
func Append(name string, content []byte, perm fs.FileMode) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is %s: %w", name, kind(info.Mode()), ErrNotAFile)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, perm)
	if err != nil {
		return err
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		if _, err = f.Write(content); err != nil {
			err = errors.Join(err, f.Truncate(end))
		}
	}
	return errors.Join(err, f.Close())
}
