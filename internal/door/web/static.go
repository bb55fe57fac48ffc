package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"girih/internal/file"
	"girih/internal/notice"
)

// The mark by which the page knows which engine it has.
const (
	servedMark = `<meta name="girih-engine" content="http">`
	staticMark = `<meta name="girih-engine" content="wasm">`
)

const (
	// licenses is the name of the file with the licences of girih's components.
	licenses = "licenses.txt"
	// manifest is the name of the file that lists what girih wrote to a folder, as lines of sha256sum.
	manifest = "girih.sha256"
)

// Static writes the explorer with its own engine to a folder that works from any file server, under any path. The
// folder is made if it does not exist. An existing folder must be empty, or contain what Static wrote before,
// unchanged; otherwise nothing is written and an error is returned. If Static is interrupted or the disk is full, each
// file is either the old or the new version, and Static can be run again.
//
// public is the address for links, if it differs from the browser's address. In a build with -tags engine, such as a
// release, the engine is part of the binary; for other builds the error says how to get one.
func Static(ctx context.Context, dir, public string) error {
	if dir == "" {
		return errors.New("expected a folder to write the page to, found none")
	}
	if public != "" {
		if _, err := checkPublic(public); err != nil {
			return err
		}
	}
	e, ok := embeddedEngine()
	files, err := pageFiles(staticMark+"\n"+sizes(e), public)
	if err != nil {
		return err
	}
	old, err := writtenLines(dir)
	if err != nil {
		return err
	}
	if !ok {
		return errNoEngine
	}
	maps.Copy(files, e)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return writeSite(ctx, dir, files, old)
}

// writeSite writes the files. Files in the folder may be old or new until all are written, and the manifest
// says so.
func writeSite(ctx context.Context, dir string, files map[string][]byte, old []string) error {
	var lines []string
	for name, content := range files {
		lines = append(lines, sum(name, content))
	}
	slices.Sort(lines)
	if err := writeManifest(dir, append(slices.Clone(lines), old...)); err != nil {
		return err
	}
	left, _ := filepath.Glob(filepath.Join(dir, file.Temporary+"*")) // the pattern is right
	for _, name := range left {
		_ = os.Remove(name) // a file that a killed run left does no harm
	}
	for _, line := range lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := line[strings.LastIndex(line, " ")+1:]
		if err := file.Replace(filepath.Join(dir, name), files[name], 0o644); err != nil {
			return err
		}
	}
	return writeManifest(dir, lines)
}

func writeManifest(dir string, lines []string) error {
	slices.Sort(lines)
	text := strings.Join(slices.Compact(lines), "\n") + "\n"
	return file.Replace(filepath.Join(dir, manifest), []byte(text), 0o644)
}

// sum returns the line of the manifest for a file.
func sum(name string, content []byte) string {
	return fmt.Sprintf("%x  %s", sha256.Sum256(content), name)
}

// firstPage returns the page with the mark of its engine and the address for links.
func firstPage(mark, public string) ([]byte, error) {
	files, err := embeddedPage()
	if err != nil {
		return nil, err
	}
	page := files["index.html"]
	if !bytes.Contains(page, []byte(servedMark)) {
		return nil, errors.New("a defect of girih: the page does not say which engine it has")
	}
	if public != "" {
		image := []byte(`content="preview.png"`)
		if !bytes.Contains(page, image) {
			return nil, errors.New("a defect of girih: the page does not name its picture")
		}
		address := html.EscapeString(public)
		mark += "\n" + `<meta name="girih-public" content="` + address + `">` + "\n" +
			`<meta property="og:url" content="` + address + `">`
		page = bytes.Replace(page, image, []byte(`content="`+html.EscapeString(siblingAddress(public, "preview.png"))+`"`), 1)
	}
	return bytes.Replace(page, []byte(servedMark), []byte(mark), 1), nil
}

// siblingAddress returns the address of a file in the folder of a public address, which [checkPublic] has accepted.
// Sites that show a link's picture accept only a whole address.
func siblingAddress(public, name string) string {
	u, _ := url.Parse(public) // the address was checked before
	if !strings.HasSuffix(u.Path, "/") && !strings.Contains(path.Base(u.Path), ".") {
		u.Path += "/" // file servers expect a slash after the name of a folder
	}
	return u.ResolveReference(&url.URL{Path: name}).String()
}

// pageFiles returns the files of the page, by name, without the engine.
func pageFiles(mark, public string) (map[string][]byte, error) {
	page, err := firstPage(mark, public)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{licenses: []byte(notice.Text())}
	embedded, err := embeddedPage()
	if err != nil {
		return nil, err
	}
	maps.Copy(files, embedded)
	files["index.html"] = page
	return files, loadCompressed(files)
}

// loadCompressed lets the page load its script compressed, by a first script that shows the picture of the link before.
// app.js stays for browsers and hosts that refuse that.
func loadCompressed(files map[string][]byte) (err error) {
	const style = `<link rel="stylesheet" href="app.css">`
	page := string(files["index.html"])
	for old, with := range map[string]string{
		style: `<script src="first.js"></script>` + "\n" + style, `<script type="module" src="app.js"></script>` + "\n": "",
	} {
		if !strings.Contains(page, old) {
			return errors.New("a defect of girih: the page does not have " + old)
		}
		page = strings.Replace(page, old, with, 1)
	}
	files["index.html"] = []byte(page)
	files["app.js.gz"], err = dist.ReadFile("dist/app.js.gz")
	return err
}

// writtenLines returns the lines of the manifest of a folder; none for a new or empty folder. The error says which
// contents of the folder girih did not write.
func writtenLines(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("expected a folder, or a name for a new one: %w", err)
	}
	foreign := func(e fs.DirEntry, why string) error {
		return fmt.Errorf("%s has %s, which girih did not write%s: expected a new or an empty folder, or what girih wrote",
			dir, e.Name(), why)
	}
	lines, err := readManifest(dir, entries)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		left := strings.HasPrefix(e.Name(), file.Temporary) && e.Type().IsRegular() // a file that a killed run left
		if left || e.Name() == manifest {
			continue
		}
		if !e.Type().IsRegular() || !slices.ContainsFunc(lines,
			func(l string) bool { return strings.HasSuffix(l, "  "+e.Name()) }) {
			return nil, foreign(e, "")
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if !slices.Contains(lines, sum(e.Name(), content)) {
			return nil, foreign(e, " as it is")
		}
	}
	return lines, nil
}

// readManifest returns the lines of the manifest, if the folder has a manifest.
func readManifest(dir string, entries []fs.DirEntry) ([]string, error) {
	i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == manifest })
	if i < 0 || !entries[i].Type().IsRegular() {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(dir, manifest))
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n"), nil
}

// errNoEngine says how to get an engine.
var errNoEngine = errors.New("this girih has no engine in it: use a released girih, or, in a checkout, run " +
	"go run ./internal/door/web/bundle -engine and build with -tags engine")

// sizes returns the mark with the sizes of the engines, in bytes: of each compressed file, and of the module. Browsers
// that decompress a file do not say how long it is.
func sizes(engines map[string][]byte) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(engines)) {
		if packed := engines[name]; strings.HasSuffix(name, ".gz") {
			whole := binary.LittleEndian.Uint32(packed[len(packed)-4:]) // gzip ends with the length
			list = append(list, fmt.Sprintf("%s %d", strings.TrimSuffix(name, ".wasm.gz"), whole))
		}
	}
	return `<meta name="girih-sizes" content="` + strings.Join(list, ", ") + `">`
}
