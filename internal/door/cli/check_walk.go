package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"girih/internal/finding"
	"girih/internal/service"
)

// This file decides which files girih check looks at, and as what.

// maxCheckFile limits the size of a source or a girih.toml, in bytes. Sources above it are generated, or data.
const maxCheckFile = 4 << 20

// A checkUnit is one file to look at.
type checkUnit struct {
	path string // with slashes, as findings have it
	kind unitKind
}

// unitKind says what a file is taken for.
type unitKind string

const (
	unitPTX      unitKind = "ptx"
	unitRun      unitKind = "run"
	unitSource   unitKind = "source"
	unitSettings unitKind = "settings"
)

// sources are the extensions of files whose comments are read in folders. A file that the user names is read always.
var sources = strings.Fields(".c .cc .cpp .cu .cuh .cxx .go .h .hh .hip .hpp .hxx .inl .ipp .jl .markdown .md .mlir .mojo .py .pyi .rs .rst .td")

// passedOver are folders of other people's code and of build products.
var passedOver = strings.Fields("__pycache__ build cmake-build-debug cmake-build-release dist node_modules site-packages target venv")

// kindOf returns what a file is, by its name; "" if folders are searched for no such files.
func kindOf(name string) unitKind {
	switch ext := strings.ToLower(filepath.Ext(name)); {
	case filepath.Base(name) == settingsFile:
		return unitSettings
	case ext == ".ptx":
		return unitPTX
	case ext == ".json":
		return unitRun
	case slices.Contains(sources, ext):
		return unitSource
	}
	return ""
}

// A checkPlan is the files to look at.
type checkPlan struct {
	settings *checkSettings
	units    []checkUnit
	failed   []finding.Failure
	notes    []string
	large    []string // files that are too large to be read
	seen     map[string]bool
}

// newPlan finds the files that the arguments mean.
func newPlan(settings *checkSettings, paths []string) *checkPlan {
	p := &checkPlan{settings: settings, seen: map[string]bool{}}
	for _, name := range paths {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			p.fail(name, err)
		case info.IsDir():
			p.walk(name)
		case info.Mode().IsRegular():
			p.addNamed(name)
		default:
			p.fail(name, fmt.Errorf("it is no regular file"))
		}
	}
	sort.Slice(p.units, func(i, j int) bool { return p.units[i].path < p.units[j].path })
	if n := len(p.large); n > 0 {
		p.notes = append(p.notes, fmt.Sprintf("files of more than %d bytes are not read: %d, the first is %s", maxCheckFile, n,
			p.large[0]))
	}
	return p
}

// fail records a file that cannot be read.
func (p *checkPlan) fail(name string, err error) {
	if e, ok := err.(*fs.PathError); ok {
		err = fmt.Errorf("cannot %s it: %w", e.Op, e.Err)
	}
	p.failed = append(p.failed, finding.Failure{Path: withSlashes(name), Why: err.Error()})
}

// withSlashes returns a path as findings have it: relative to the current folder if it is below it.
func withSlashes(name string) string {
	name = filepath.Clean(name)
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(name) {
		if below, err := filepath.Rel(wd, name); err == nil && filepath.IsLocal(below) {
			name = below
		}
	}
	return filepath.ToSlash(name)
}

// folderInRepository returns the current folder below the root of its repository, with slashes; "" is the root. The
// root is the folder that GitHub names, or the nearest one with .git.
func folderInRepository() string {
	wd, err := os.Getwd()
	if err != nil {
		return ""
	}
	root := os.Getenv("GITHUB_WORKSPACE")
	for dir := wd; root == ""; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			root = dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	below, err := filepath.Rel(root, wd)
	if root == "" || err != nil || !filepath.IsLocal(below) || below == "." {
		return ""
	}
	return filepath.ToSlash(below)
}

// covers reports whether a path, as findings have it, is one of the given paths or below one.
func covers(given []string, name string) bool {
	return slices.ContainsFunc(given, func(dir string) bool {
		dir = withSlashes(dir)
		return dir == name || dir == "." && filepath.IsLocal(filepath.FromSlash(name)) ||
			strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")
	})
}

// add adds a file, unless it is there already.
func (p *checkPlan) add(u checkUnit) {
	if !p.seen[u.path] {
		p.seen[u.path] = true
		p.units = append(p.units, u)
	}
}

// addNamed adds a file that the user names, and the description of a run K.json for K.ptx.
func (p *checkPlan) addNamed(name string) {
	kind := kindOf(name)
	if kind == "" {
		kind = unitSource
	}
	if p.settings.excludes(withSlashes(name)) {
		return
	}
	p.add(checkUnit{withSlashes(name), kind})
	if kind == unitPTX {
		run := strings.TrimSuffix(name, filepath.Ext(name)) + ".json"
		if info, err := os.Stat(run); err == nil && info.Mode().IsRegular() {
			p.add(checkUnit{withSlashes(run), unitRun})
		}
	}
}

// walk adds the files of a folder.
func (p *checkPlan) walk(dir string) {
	if link, err := os.Lstat(dir); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		dir += string(filepath.Separator) // the folder, not the link
	}
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			p.fail(name, err)
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		base := d.Name()
		hidden := strings.HasPrefix(base, ".") && base != "." && base != ".."
		switch {
		case name == dir:
		case d.IsDir() && (hidden || slices.Contains(passedOver, base) || p.settings.excludes(withSlashes(name))):
			return fs.SkipDir
		case d.IsDir(), hidden, p.settings.excludes(withSlashes(name)):
		default:
			p.addFound(name, d)
		}
		return nil
	})
}

// addFound adds a file of a folder, if it is of a kind that is checked.
func (p *checkPlan) addFound(name string, d fs.DirEntry) {
	kind := kindOf(name)
	if kind == "" {
		return
	}
	info, err := d.Info()
	if err == nil && d.Type()&fs.ModeSymlink != 0 {
		info, err = os.Stat(name)
	}
	switch {
	case err != nil:
		p.fail(name, err)
	case !info.Mode().IsRegular():
	case kind != unitPTX && info.Size() > maxCheckFile:
		if kind != unitRun { // large JSON is data
			p.large = append(p.large, withSlashes(name))
		}
	default:
		p.add(checkUnit{withSlashes(name), kind})
	}
}

// text reads the file of a unit.
func (u checkUnit) text() ([]byte, error) {
	most := int64(maxCheckFile)
	switch u.kind {
	case unitPTX:
		most = service.MaxSimPTX
	case unitRun:
		most = service.MaxSimRun
	}
	return readRegular(filepath.FromSlash(u.path), most)
}

// isRelevant reports whether there is anything to check in a file. JSON that is no description of a run and sources
// without an assertion are passed over, and so is what is no text.
func (u checkUnit) isRelevant(text []byte) bool {
	if bytes.IndexByte(text[:min(len(text), 8<<10)], 0) >= 0 {
		return u.kind == unitPTX
	}
	switch u.kind {
	case unitRun:
		return bytes.Contains(text, []byte(`"block"`)) && (bytes.Contains(text, []byte(`"ptx"`)) || u.ptxBeside() != "")
	case unitSource:
		return bytes.Contains(text, []byte("girih:"))
	}
	return true
}

// ptxBeside returns the name of K.ptx for K.json; "" if there is none.
func (u checkUnit) ptxBeside() string {
	name := filepath.FromSlash(strings.TrimSuffix(u.path, path.Ext(u.path)) + ".ptx")
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return filepath.Base(name)
}
