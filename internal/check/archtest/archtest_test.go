package archtest

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"girih/internal/check/long"
	"girih/internal/door/web/engine"
)

// platforms lists the build configurations whose files are checked: imports under build constraints count too.
var platforms = [][]string{
	{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1"},
	{"GOOS=darwin", "GOARCH=arm64", "CGO_ENABLED=0"},
	{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"},
	{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"},
}

func TestTableIsSound(t *testing.T) {
	report(t, checkHouse(theHouse))
}

func TestImports(t *testing.T) {
	pkgs := tree(t)
	report(t, checkTree(theHouse, pkgs))
	for _, p := range pkgs {
		report(t, checkImports(theHouse, p))
		report(t, checkUnused(p, theHouse[p.path]))
	}
}

func TestPackageNamesAndComments(t *testing.T) {
	for _, p := range tree(t) {
		report(t, checkName(p))
		report(t, checkDoc(p))
	}
}

// TestOnlyGPUReachesPurego checks whole import chains, also through other modules.
func TestOnlyGPUReachesPurego(t *testing.T) {
	for _, env := range platforms {
		reach := map[string][]string{}
		for _, p := range goList(t, env, "./...") {
			if _, our := ours(p.ImportPath); our {
				reach[p.ImportPath] = p.Deps
			}
		}
		report(t, checkReach(reach))
	}
}

func TestFileLengths(t *testing.T) {
	for _, f := range goFiles(t) {
		bad, note := checkLength(f)
		if bad != "" {
			t.Error(bad)
		}
		if note != "" {
			t.Log(note)
		}
	}
}

// TestGirihIsOneStaticBinary builds the command as a release does: without TLS and HTTP/2, which girih serve never
// speaks, and with the flags of .ci/flags. They make go build compile many packages once more, so this is a long test;
// .ci/sections/static runs it.
func TestGirihIsOneStaticBinary(t *testing.T) {
	if !long.Tests() {
		t.Skip("compiles net/http a second time: GIRIH_LONG=1")
	}
	root := moduleRoot(t)
	if _, err := os.Stat(filepath.Join(root, "cmd", "girih")); errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no cmd/girih")
	}
	out := filepath.Join(t.TempDir(), "girih")
	flags, err := os.ReadFile(filepath.Join(root, ".ci", "flags"))
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := engine.WithoutTLS(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	args := slices.Concat([]string{"build", "-overlay=" + overlay},
		strings.Split(strings.TrimSpace(string(flags)), "\n"), []string{"-o", out, "./cmd/girih"})
	run(t, []string{"GOOS=linux", "GOARCH=" + runtime.GOARCH, "CGO_ENABLED=0"}, "go", args...)
	b, err := readBinary(out)
	if err != nil {
		t.Fatal(err)
	}
	b.path = "cmd/girih"
	t.Logf("%s: %d bytes", b.path, b.size)
	report(t, checkBinary(b))
}

// report reports each sentence as an error of the test.
func report(t *testing.T, bad []string) {
	t.Helper()
	for _, s := range bad {
		t.Error(s)
	}
}

// A goPackage is the description of a package that go list -json prints.
type goPackage struct {
	ImportPath, Dir, Name                        string
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports, Deps     []string
}

// tree returns the module's packages on all platforms together, sorted by path.
func tree(t *testing.T) []pkg {
	t.Helper()
	pkgs, err := loadTree()
	if err != nil {
		t.Fatal(err)
	}
	goFiles(t) // opens every file, so that go test does not reuse a cached result after a change
	if !slices.ContainsFunc(pkgs, func(p pkg) bool { return p.path == "cute" }) {
		t.Fatalf("go list found %d packages and not the algebra", len(pkgs))
	}
	return pkgs
}

var loadTree = sync.OnceValues(func() ([]pkg, error) {
	byPath := map[string]*pkg{}
	for _, env := range platforms {
		list, err := goListErr(env, "./...")
		if err != nil {
			return nil, err
		}
		for _, l := range list {
			path, our := ours(l.ImportPath)
			if !our {
				continue
			}
			p := byPath[path]
			if p == nil {
				p = &pkg{path: path, name: l.Name}
				byPath[path] = p
			}
			p.imports = append(p.imports, l.Imports...)
			p.testImports = append(append(p.testImports, l.TestImports...), l.XTestImports...)
			if p.doc == "" {
				if p.doc, err = packageComment(l); err != nil {
					return nil, err
				}
			}
		}
	}
	var pkgs []pkg
	for _, path := range sortedKeys(byPath) {
		p := byPath[path]
		slices.Sort(p.imports)
		p.imports = slices.Compact(p.imports)
		slices.Sort(p.testImports)
		p.testImports = slices.Compact(p.testImports)
		pkgs = append(pkgs, *p)
	}
	return pkgs, nil
})

// packageComment returns the package comment of l.
func packageComment(l goPackage) (string, error) {
	fset := token.NewFileSet()
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles) {
		f, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return "", err
		}
		if doc := f.Doc.Text(); doc != "" {
			return doc, nil
		}
	}
	return "", nil
}

// goList runs go list on the module under env.
func goList(t *testing.T, env []string, args ...string) []goPackage {
	t.Helper()
	list, err := goListErr(env, args...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// listings caches the results of goListErr by environment and arguments.
var listings sync.Map

// goListErr is goList with an error as result. It runs the go command only once for the same list.
func goListErr(env []string, args ...string) ([]goPackage, error) {
	once, _ := listings.LoadOrStore(strings.Join(env, " ")+"|"+strings.Join(args, " "), sync.OnceValues(
		func() ([]goPackage, error) { return listPackages(env, args) }))
	return once.(func() ([]goPackage, error))()
}

func listPackages(env, args []string) ([]goPackage, error) {
	args = append([]string{
		"list", "-e", "-json=ImportPath,Dir,Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Deps",
	}, args...)
	out, err := output(env, "go", args...)
	if err != nil {
		return nil, err
	}
	var list []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l goPackage
		switch err := dec.Decode(&l); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return nil, err
		}
		list = append(list, l)
	}
}

// goFiles returns the Go files of the module, without nested modules, testdata and hidden directories.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	root := moduleRoot(t)
	var files []goFile
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipDir(root, path, d.Name())
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		files = append(files, goFile{filepath.ToSlash(rel), countLines(src), isGenerated(src)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// skipDir returns fs.SkipDir for directories that hold no packages of this module.
func skipDir(root, path, name string) error {
	if path == root {
		return nil
	}
	if name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// isGenerated reports whether a Go file says "Code generated ... DO NOT EDIT." before its package clause.
func isGenerated(src []byte) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.ParseComments)
	return err == nil && ast.IsGenerated(f)
}

// readBinary reads the ELF file at path.
func readBinary(path string) (binaryFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return binaryFile{}, err
	}
	f, err := elf.Open(path)
	if err != nil {
		return binaryFile{}, err
	}
	defer f.Close()
	b := binaryFile{path: path, size: info.Size()}
	for _, p := range f.Progs {
		b.interp = b.interp || p.Type == elf.PT_INTERP
	}
	if f.SectionByType(elf.SHT_DYNAMIC) != nil {
		if b.needed, err = f.DynString(elf.DT_NEEDED); err != nil {
			return binaryFile{}, err
		}
	}
	return b, nil
}

// moduleRoot returns the directory of the main module.
func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

var findRoot = sync.OnceValues(func() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
})

// run runs a command in the module root and fails the test if it fails.
func run(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	if _, err := output(env, name, args...); err != nil {
		t.Fatal(err)
	}
}

// output runs a command in the module root and returns its standard output.
func output(env []string, name string, args ...string) ([]byte, error) {
	root, err := findRoot()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, errors.New(cmd.String() + ": " + err.Error() + "\n" + stderr.String())
	}
	return out, nil
}
