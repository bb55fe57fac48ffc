package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"girih/internal/file"
	"girih/internal/version"
)

// This file writes a binary and the package girih of Python as a wheel, which pip installs:
// https://packaging.python.org/en/latest/specifications/binary-distribution-format/. The binary is a script of the
// wheel, so that it is on PATH, and the package finds it by RECORD. The same files give the same wheel.

// wheelTags are the platforms of wheels. The binary for Linux is static, so that it runs with any C library.
var wheelTags = map[string]string{
	"linux/amd64":   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	"darwin/amd64":  "macosx_12_0_x86_64",
	"darwin/arm64":  "macosx_12_0_arm64",
	"windows/amd64": "win_amd64",
	"windows/arm64": "win_arm64",
}

// wheelTime is when the files of a wheel changed: the oldest time of zip, so that building again gives the same.
var wheelTime = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// wheelMetadata describes the package.
const wheelMetadata = `Metadata-Version: 2.1
Name: girih
Version: %s
Summary: See and check what CuTe, Triton and PTX layouts of GPU kernels really do: exactly, or refused with the reason
License: Apache-2.0
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Requires-Python: >=3.9
Description-Content-Type: text/markdown

`

// A wheelFile is a file of a wheel.
type wheelFile struct {
	name       string
	data       []byte
	executable bool
}

// writeWheel writes the wheel of a binary for a platform, such as linux/amd64, to a folder, and returns its name. root
// is the folder of the repository.
func writeWheel(root, dir, binary, platform string) (name string, err error) {
	tags, ok := wheelTags[platform]
	if !ok {
		return "", fmt.Errorf("there are no wheels for %s", platform)
	}
	files, err := wheelFiles(root, binary, platform)
	if err != nil {
		return "", err
	}
	name = fmt.Sprintf("girih-%s-py3-none-%s.whl", version.Number, tags)
	var b bytes.Buffer
	if err := zipFiles(&b, files); err != nil {
		return "", err
	}
	return name, file.Replace(filepath.Join(dir, name), b.Bytes(), 0o644)
}

// wheelFiles are the files of a wheel, RECORD last.
func wheelFiles(root, binary, platform string) ([]wheelFile, error) {
	sources, err := filepath.Glob(filepath.Join(root, "python", "girih", "*.py"))
	if err != nil || len(sources) == 0 {
		return nil, errors.Join(err, fmt.Errorf("there is no package in %s/python", root))
	}
	sources = append(sources, filepath.Join(root, "python", "girih", "py.typed"))
	info := fmt.Sprintf("girih-%s.dist-info/", version.Number)
	from := map[string]string{ // maps names to names in the wheel
		info + "licenses/LICENSE": filepath.Join(root, "LICENSE"), info + "licenses/NOTICE": filepath.Join(root, "NOTICE"),
	}
	for _, name := range sources {
		from["girih/"+filepath.Base(name)] = name
	}
	program := fmt.Sprintf("girih-%s.data/scripts/girih", version.Number)
	if strings.HasPrefix(platform, "windows/") {
		program += ".exe"
	}
	from[program] = binary
	var files []wheelFile
	for name, source := range from {
		data, err := os.ReadFile(source)
		if err != nil {
			return nil, err
		}
		files = append(files, wheelFile{name, data, name == program})
	}
	manual, err := os.ReadFile(filepath.Join(root, "docs", "python.md"))
	if err != nil {
		return nil, err
	}
	about := "Wheel-Version: 1.0\nGenerator: girih\nRoot-Is-Purelib: false\n"
	for tag := range strings.SplitSeq(wheelTags[platform], ".") {
		about += "Tag: py3-none-" + tag + "\n"
	}
	files = append(files,
		wheelFile{name: info + "METADATA", data: append(fmt.Appendf(nil, wheelMetadata, version.Number), manual...)},
		wheelFile{name: info + "WHEEL", data: []byte(about)})
	slices.SortFunc(files, func(a, b wheelFile) int { return strings.Compare(a.name, b.name) })
	return append(files, record(info, files)), nil
}

// record lists the files with their sums.
func record(info string, files []wheelFile) wheelFile {
	var b bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	fmt.Fprintf(&b, "%sRECORD,,\n", info)
	return wheelFile{name: info + "RECORD", data: b.Bytes()}
}

// zipFiles writes an archive.
func zipFiles(to io.Writer, files []wheelFile) error {
	z := zip.NewWriter(to)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: wheelTime}
		h.SetMode(0o644)
		if f.executable {
			h.SetMode(0o755)
		}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(f.data)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}
