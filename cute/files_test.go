package cute_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readingOrder lists the files of the package such that each file uses only names of the files before it, apart from
// mostUpward pairs of files. The package comment gives the same order in words.
var readingOrder = []string{
	"error.go", "profile.go", "codomain.go", "tuple.go", "layout.go", "make.go", // values
	"derivation.go", "shape.go", "coordinate.go", "slice.go", // coordinates and shapes
	"coalesce.go", "mixed_radix.go", "recognize.go", "composition_table.go", "composition.go",
	"complement.go", "diophantine.go", "injective.go", "image.go", "inverse_search.go", "inverse.go",
	"tiling.go", "tile_mode.go", "divide.go", "product.go", "common.go",
	"composed.go", "function.go", "function_image.go", "function_inverse.go", "function_compose.go",
	"function_common.go", "recast.go", "solve.go", "solve_outer.go",
	"parse.go", "derive.go", "doc.go", // files that use all of the others
}

// mostUpward limits the pairs of files whose first file uses a name of the second, later file. There is one pair: an
// Error has a Witness, whose coordinates are Tuples. The limit may only be lowered.
const mostUpward = 1

func TestReadingOrder(t *testing.T) {
	t.Parallel()
	set := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if !slices.Contains(readingOrder, name) {
			t.Errorf("%s is not in readingOrder", name)
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) != len(readingOrder) {
		t.Errorf("expected the %d files of readingOrder, found %d", len(readingOrder), len(files))
	}
	up := upwardUses(set, files)
	if len(up) > mostUpward {
		for _, pair := range slices.Sorted(maps.Keys(up)) {
			t.Errorf("%s: %s", pair, strings.Join(up[pair], ", "))
		}
	}
	if len(up) < mostUpward {
		t.Errorf("expected %d upward pairs of files, found %d; lower mostUpward", mostUpward, len(up))
	}
}

// upwardUses returns, for each pair of files, the names of the later file that the earlier file uses.
func upwardUses(set *token.FileSet, files []*ast.File) map[string][]string {
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	// Other packages are empty here. Errors about their names do not matter: only names of this package count.
	conf := types.Config{Importer: emptyPackages{}, Error: func(error) {}}
	pkg, _ := conf.Check("girih/cute", set, files, &info)
	fileOf := func(p token.Pos) string { return filepath.Base(set.Position(p).Filename) }
	up := map[string][]string{}
	for id, used := range info.Uses {
		from, to := fileOf(id.Pos()), ""
		if used.Pkg() == pkg && used.Pos().IsValid() {
			to = fileOf(used.Pos())
		}
		if to == "" || slices.Index(readingOrder, to) <= slices.Index(readingOrder, from) {
			continue
		}
		pair := from + " uses " + to
		if !slices.Contains(up[pair], used.Name()) {
			up[pair] = append(up[pair], used.Name())
		}
	}
	return up
}

// emptyPackages imports every package as a package without names.
type emptyPackages struct{}

func (emptyPackages) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}
