package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// A pkg holds what the rules know about one package of the tree.
type pkg struct {
	path        string   // below the module root
	name        string   // from the package clause
	doc         string   // package comment of its non-test files
	imports     []string // import paths of its non-test files
	testImports []string // import paths of its test files
}

// String returns the import path of p.
func (p pkg) String() string { return importPath(p.path) }

// importPath returns the import path of the girih package at path.
func importPath(path string) string { return modulePath + "/" + path }

// importPaths returns the import paths of the girih packages at paths.
func importPaths(paths []string) []string {
	imps := make([]string, len(paths))
	for i, p := range paths {
		imps[i] = importPath(p)
	}
	return imps
}

// ours returns the path of import path imp below the module root; ok is false for packages of other modules.
func ours(imp string) (path string, ok bool) {
	return strings.CutPrefix(imp, modulePath+"/")
}

// isStd reports whether imp is in the standard library: its first element has no dot.
// ("C" is not a package; the caller has dealt with it.)
func isStd(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return !strings.Contains(first, ".")
}

// inModule reports whether imp is a package of module mod.
func inModule(imp, mod string) bool {
	return imp == mod || strings.HasPrefix(imp, mod+"/")
}

// fromModules reports whether imp is a package of one of mods.
func fromModules(imp string, mods []string) bool {
	return slices.ContainsFunc(mods, func(m string) bool { return inModule(imp, m) })
}

// checkHouse returns what is wrong with the table itself: imports that do not point to a lower floor, unknown names,
// and rows with a module that belongs to another package.
func checkHouse(h house) []string {
	var bad []string
	for _, path := range sortedKeys(h) {
		r := h[path]
		for _, imp := range paths(r.imports) {
			to, ok := h[imp]
			switch {
			case !ok:
				bad = append(bad, fmt.Sprintf("table: %s may import %s, which is not in the table", path, imp))
			case to.floor >= r.floor:
				bad = append(bad, fmt.Sprintf("table: %s (floor %d) may import %s (floor %d), but imports point only to lower floors",
					path, r.floor, imp, to.floor))
			}
		}
		for _, mod := range paths(r.modules) {
			if o := owners[mod]; o != nil && !slices.Contains(o, path) {
				bad = append(bad, fmt.Sprintf("table: %s may import %s, which belongs to %s", path, mod, strings.Join(o, " and ")))
			}
		}
	}
	return bad
}

// checkTree returns the rows of h whose package is not among the packages.
func checkTree(h house, pkgs []pkg) []string {
	var bad []string
	for _, path := range sortedKeys(h) {
		if !slices.ContainsFunc(pkgs, func(p pkg) bool { return p.path == path }) {
			bad = append(bad, fmt.Sprintf("table: %s has a row, and there is no such package", path))
		}
	}
	return bad
}

// checkImports returns one sentence for each import of p that the table forbids.
func checkImports(h house, p pkg) []string {
	r, ok := h[p.path]
	if !ok {
		return []string{
			fmt.Sprintf("package %s is not in the import table: add it to internal/check/archtest/table_test.go", p),
		}
	}
	var bad []string
	for _, imp := range p.imports {
		if why := refuse(h, p, r, imp); why != "" {
			bad = append(bad, fmt.Sprintf("%s imports %s: %s", p, imp, why))
		}
	}
	for _, imp := range p.testImports {
		if why := refuseInTest(h, p, r, imp); why != "" {
			bad = append(bad, fmt.Sprintf("a test of %s imports %s: %s", p, imp, why))
		}
	}
	return bad
}

// checkUnused returns one sentence for each import that the row r of p allows but p does not use.
func checkUnused(p pkg, r row) []string {
	var bad []string
	for _, path := range paths(r.imports) {
		if !slices.Contains(p.imports, importPath(path)) {
			bad = append(bad, fmt.Sprintf("table: %s may import %s and does not", p.path, path))
		}
	}
	for _, path := range paths(r.tests) {
		if !slices.Contains(p.testImports, importPath(path)) {
			bad = append(bad, fmt.Sprintf("table: tests of %s may import %s and do not", p.path, path))
		}
	}
	for _, mod := range paths(r.modules) {
		if !slices.ContainsFunc(p.imports, func(imp string) bool { return inModule(imp, mod) }) {
			bad = append(bad, fmt.Sprintf("table: %s may import %s and does not", p.path, mod))
		}
	}
	return bad
}

// refuse returns the rule that forbids package p, whose row is r, to import imp, or "" if p may import imp.
func refuse(h house, p pkg, r row, imp string) string {
	if imp == "C" {
		return "girih is pure Go: no cgo"
	}
	path, our := ours(imp)
	if !our {
		return refuseForeign(p, r, imp)
	}
	to, known := h[path]
	switch {
	case !known:
		return "that package is not in the import table"
	case isCheck(path) && !isCheck(p.path):
		return "that package is for tests and cmd/girih-check only"
	case to.floor >= r.floor:
		return fmt.Sprintf("imports point only to lower floors, and %s is on floor %d, %s on floor %d", importPath(path),
			to.floor, p, r.floor)
	case !slices.Contains(paths(r.imports), path):
		return fmt.Sprintf("the table lets %s import only %s", p, listOr(importPaths(paths(r.imports)), "the standard library"))
	}
	return ""
}

// refuseForeign is refuse for packages of other modules and of the standard library.
func refuseForeign(p pkg, r row, imp string) string {
	if isStd(imp) || fromModules(imp, paths(r.modules)) {
		return ""
	}
	for _, mod := range sortedKeys(owners) {
		if inModule(imp, mod) {
			return fmt.Sprintf("only %s may import %s", strings.Join(owners[mod], " and "), mod)
		}
	}
	if fromModules(imp, testModules) {
		return "that module is for tests only"
	}
	return fmt.Sprintf("the table lets %s use %s", p, listOr(paths(r.modules), "no third-party module, only the standard library"))
}

// refuseInTest is refuse for the imports of test files, which may in addition import the package itself, the packages
// that isCheck accepts, the test modules, and the packages that the row lists for tests.
func refuseInTest(h house, p pkg, r row, imp string) string {
	path, our := ours(imp)
	switch {
	case our && (path == p.path || isCheck(path) || slices.Contains(paths(r.tests), path)):
		return ""
	case !our && fromModules(imp, testModules):
		return ""
	}
	return refuse(h, p, r, imp)
}

// checkReach returns one sentence for each package that depends on purego through any chain of imports although it may
// not. reach maps an import path of the tree to all import paths that the package depends on.
func checkReach(reach map[string][]string) []string {
	var bad []string
	for _, imp := range sortedKeys(reach) {
		path, our := ours(imp)
		if !our || slices.Contains(withDriver, path) {
			continue
		}
		for _, dep := range reach[imp] {
			if inModule(dep, modPurego) {
				bad = append(bad, fmt.Sprintf("%s depends on %s, which makes a Linux binary dynamic: only %s may",
					imp, dep, strings.Join(withDriver, ", ")))
				break
			}
		}
	}
	return bad
}

// badNames are package names that say nothing about what is inside.
var badNames = []string{
	"util", "utils", "common", "helper", "helpers", "type", "types", "model", "models", "misc", "base", "lib",
}

// checkName returns what is wrong with the name of p.
func checkName(p pkg) []string {
	elem := p.path[strings.LastIndex(p.path, "/")+1:]
	for _, n := range []string{p.name, elem} {
		if slices.Contains(badNames, n) {
			return []string{fmt.Sprintf("package %s is named %q, which says nothing: name the noun it is about", p, n)}
		}
	}
	return nil
}

// checkDoc returns what is wrong with the package comment of p.
func checkDoc(p pkg) []string {
	switch {
	case strings.TrimSpace(p.doc) == "":
		return []string{fmt.Sprintf("package %s has no package comment: say in doc.go what it is for", p)}
	case p.name != "main" && !strings.HasPrefix(p.doc, "Package "+p.name+" "):
		return []string{fmt.Sprintf("the comment of package %s must start with %q", p, "Package "+p.name+" ")}
	}
	return nil
}

// A file of more than longFile lines is listed; a file of more than maxFile lines is refused.
const (
	longFile = 600
	maxFile  = 1000
)

// A goFile holds what the rules know about one Go file.
type goFile struct {
	path      string
	lines     int
	generated bool
}

// checkLength returns an error for a file that is too long and a note for one that is getting long.
func checkLength(f goFile) (bad, note string) {
	switch {
	case f.generated || f.lines <= longFile:
		return "", ""
	case f.lines <= maxFile:
		return "", fmt.Sprintf("%s has %d lines: argue above %d", f.path, f.lines, longFile)
	}
	return fmt.Sprintf("%s has %d lines, more than %d: split it by idea", f.path, f.lines, maxFile), ""
}

// A binaryFile holds what the rules know about an ELF executable.
type binaryFile struct {
	path   string
	size   int64    // bytes
	interp bool     // it has a PT_INTERP segment: the kernel starts a dynamic loader
	needed []string // its DT_NEEDED entries: shared libraries
}

// maxBinary is the limit for the stripped girih command, in bytes.
const maxBinary = 28 << 20

// checkBinary returns what is wrong with b.
func checkBinary(b binaryFile) []string {
	var bad []string
	if b.interp {
		bad = append(bad, fmt.Sprintf("%s is dynamically linked: it asks for a program interpreter (PT_INTERP)", b.path))
	}
	if len(b.needed) > 0 {
		bad = append(bad, fmt.Sprintf("%s needs shared libraries: %s", b.path, strings.Join(b.needed, ", ")))
	}
	if b.size >= maxBinary {
		bad = append(bad, fmt.Sprintf("%s has %d bytes, the limit is %d", b.path, b.size, maxBinary))
	}
	return bad
}

// listOr joins names with commas, or returns none if there are none.
func listOr(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// countLines returns the number of lines of a file.
func countLines(src []byte) int {
	n := strings.Count(string(src), "\n")
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return n
}
