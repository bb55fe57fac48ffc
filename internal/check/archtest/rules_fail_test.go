package archtest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// These tests break each rule with a made-up package. want is part of the sentence; "" means no complaint.

func TestImportRules(t *testing.T) {
	tests := []struct {
		name string
		pkg  pkg
		want string
	}{
		{"down", pkg{path: "linear", imports: []string{"girih/cute", "girih/f2", "slices", "math/bits"}}, ""},
		{"package not in the table", pkg{path: "solver"}, "/solver is not in the import table: add it to internal/check/archtest/table_test.go"},
		{"import not in the table", pkg{path: "linear", imports: []string{importPath("solver")}}, "/solver: that package is not in the import table"},
		{"up", pkg{path: "cute", imports: []string{"girih/linear"}}, "girih/cute imports girih/linear: imports point only to lower floors, and girih/linear is on floor 2, girih/cute on floor 1"},
		{"sideways", pkg{path: "linear", imports: []string{"girih/tensor"}}, "imports point only to lower floors"},
		{"itself", pkg{path: "linear", imports: []string{"girih/linear"}}, "imports point only to lower floors"},
		{"down, but not listed", pkg{path: "internal/picture/view", imports: []string{"girih/internal/lang/syntax"}}, "girih/internal/picture/view imports girih/internal/lang/syntax: the table lets girih/internal/picture/view import only girih/cute, girih/internal/ints, girih/f2, girih/internal/picture/draw, girih/internal/why/relation"},
		{"floor 0 imports nothing of ours", pkg{path: "internal/picture/draw", imports: []string{"girih/internal/ints"}}, "imports point only to lower floors"},
		{"syntax knows no values", pkg{path: "internal/lang/syntax", imports: []string{"girih/cute"}}, "imports point only to lower floors"},
		{"front ends", pkg{path: "internal/door/web", imports: []string{"girih/internal/door/cli"}}, "girih/internal/door/web imports girih/internal/door/cli: imports point only to lower floors"},
		{"front end skips the service", pkg{path: "internal/door/cli", imports: []string{"girih/internal/lang/eval"}}, "the table lets girih/internal/door/cli import only girih/internal/file"},
		{"diagnosis under service", pkg{path: "internal/service", imports: []string{"girih/internal/why/diagnose", "girih/internal/lang/eval", "girih/internal/picture/svg"}}, ""},
		{"eval under diagnosis", pkg{path: "internal/lang/eval", imports: []string{"girih/internal/why/diagnose"}}, "girih/internal/why/diagnose is on floor 8, girih/internal/lang/eval on floor 6"},
		{"the judge knows no algebra", pkg{path: "internal/why/judge", imports: []string{"girih/cute"}}, "girih/cute is on floor 1, girih/internal/why/judge on floor 1"},
		{"its tests do", pkg{path: "internal/why/judge", testImports: []string{"girih/cute", "girih/internal/check/gen"}}, ""},
		{"vectors in the product", pkg{path: "internal/service", imports: []string{"girih/internal/check/vectors"}}, "that package is for tests and cmd/girih-check only"},
		{"vectors in their command", pkg{path: "cmd/girih-check", imports: []string{"girih/internal/check/vectors"}}, ""},
		{"service has no driver", pkg{path: "internal/service", imports: []string{"girih/internal/card/cuda"}}, "the table lets girih/internal/service import only"},

		{"the algebra with a module", pkg{path: "cute", imports: []string{"golang.org/x/exp/maps"}}, "girih/cute imports golang.org/x/exp/maps: the table lets girih/cute use no third-party module, only the standard library"},
		{"syntax with a module", pkg{path: "internal/lang/syntax", imports: []string{"github.com/google/go-cmp/cmp"}}, "that module is for tests only"},
		{"release reads fonts with x/image", pkg{path: "internal/cmd/release", imports: []string{"golang.org/x/image/vector"}}, ""},
		{"draw/svg does not", pkg{path: "internal/picture/svg", imports: []string{"golang.org/x/image/vector"}}, "that module is for tests only"},
		{"similar module path", pkg{path: "internal/cmd/release", imports: []string{"golang.org/x/imageutil"}}, "the table lets girih/internal/cmd/release use golang.org/x/image"},
		{"cli may use cobra", pkg{path: "internal/door/cli", imports: []string{"github.com/spf13/cobra", "github.com/spf13/cobra/doc"}}, ""},
		{"others not", pkg{path: "internal/door/mcp", imports: []string{"github.com/spf13/cobra"}}, "only internal/door/cli may import github.com/spf13/cobra"},
		{"readline only in repl", pkg{path: "internal/door/cli", imports: []string{"github.com/reeflective/readline"}}, "only internal/door/repl may import"},
		{"purego in cuda", pkg{path: "internal/card/cuda", imports: []string{"github.com/ebitengine/purego"}}, ""},
		{"purego elsewhere", pkg{path: "gpu", imports: []string{"github.com/ebitengine/purego"}}, "girih/gpu imports github.com/ebitengine/purego: only internal/card/cuda may import"},
		{"cgo", pkg{path: "f2", imports: []string{"C"}}, "no cgo"},

		{"oracle outside tests", pkg{path: "banks", imports: []string{"girih/internal/check/oracle"}}, "girih/banks imports girih/internal/check/oracle: that package is for tests and cmd/girih-check only"},
		{"archtest outside tests", pkg{path: "cmd/girih", imports: []string{"girih/internal/check/archtest"}}, "for tests and cmd/girih-check only"},
		{"rapid outside tests", pkg{path: "banks", imports: []string{"pgregory.net/rapid"}}, "that module is for tests only"},
		{"rapid in gen", pkg{path: "internal/check/gen", imports: []string{"pgregory.net/rapid", "girih/cute"}}, ""},
		{"test helpers in tests", pkg{path: "cute", testImports: []string{
			"girih/cute", "girih/internal/check/oracle", "girih/internal/check/gen", "testing",
			"pgregory.net/rapid", "github.com/google/go-cmp/cmp", "github.com/rogpeppe/go-internal/testscript",
		}}, ""},
		{"tests obey the floors too", pkg{path: "cute", testImports: []string{"girih/internal/lang/eval"}}, "a test of girih/cute imports girih/internal/lang/eval: imports point only to lower floors"},
		{"tests take no other module", pkg{path: "cute", testImports: []string{"github.com/stretchr/testify/require"}}, "a test of girih/cute imports github.com/stretchr/testify/require"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wantSentence(t, checkImports(theHouse, tt.pkg), tt.want)
		})
	}
}

func TestTableRules(t *testing.T) {
	tests := []struct {
		name  string
		house house
		want  string
	}{
		{"sound", house{"a": {floor: 0}, "b": {floor: 1, imports: "a"}}, ""},
		{"up", house{"a": {floor: 0, imports: "b"}, "b": {floor: 1}}, "table: a (floor 0) may import b (floor 1)"},
		{"same floor", house{"a": {floor: 5}, "b": {floor: 5, imports: "a"}}, "table: b (floor 5) may import a (floor 5)"},
		{"unknown", house{"a": {floor: 0, imports: "gone"}}, "table: a may import gone, which is not in the table"},
		{"somebody else's module", house{"a": {floor: 0, modules: modPurego}}, "table: a may import github.com/ebitengine/purego, which belongs to internal/card/cuda"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wantSentence(t, checkHouse(tt.house), tt.want)
		})
	}
}

func TestTreeRule(t *testing.T) {
	h := house{"a": {}, "b": {imports: "a", tests: "c", modules: modCmp}}
	wantSentence(t, checkTree(h, []pkg{{path: "a"}, {path: "b"}}), "")
	wantSentence(t, checkTree(h, []pkg{{path: "a"}}), "table: b has a row, and there is no such package")
	used := pkg{path: "b", imports: []string{importPath("a"), modCmp + "/cmp"}, testImports: []string{importPath("c")}}
	wantSentence(t, checkUnused(used, h["b"]), "")
	for want, p := range map[string]pkg{
		"table: b may import a and does not": {
			path: "b", imports: used.imports[1:], testImports: used.testImports,
		},
		"table: tests of b may import c and do not": {path: "b", imports: used.imports},
		"table: b may import " + modCmp +
			" and does not": {path: "b", imports: used.imports[:1], testImports: used.testImports},
	} {
		wantSentence(t, checkUnused(p, h["b"]), want)
	}
}

func TestReachRule(t *testing.T) {
	purego := []string{"unsafe", "github.com/ebitengine/purego/internal/fakecgo"}
	wantSentence(t, checkReach(map[string][]string{
		"girih/internal/card/cuda": purego, "girih/gpu": purego, "girih/cmd/girih-gpu": purego,
		"girih/internal/lang/eval": {"fmt"},
	}), "")
	wantSentence(t, checkReach(map[string][]string{"girih/cmd/girih": purego}), "girih/cmd/girih depends on github.com/ebitengine/purego/internal/fakecgo")
}

func TestNameRule(t *testing.T) {
	wantSentence(t, checkName(pkg{path: "linear", name: "linear"}), "")
	wantSentence(t, checkName(pkg{path: "internal/util", name: "util"}), `named "util"`)
	wantSentence(t, checkName(pkg{path: "draw/helpers", name: "draw"}), `named "helpers"`)
	wantSentence(t, checkName(pkg{path: "draw/shape", name: "types"}), `named "types"`)
}

func TestDocRule(t *testing.T) {
	wantSentence(t, checkDoc(pkg{path: "f2", name: "f2", doc: "Package f2 computes.\n"}), "")
	wantSentence(t, checkDoc(pkg{path: "cmd/girih", name: "main", doc: "Girih computes with layouts.\n"}), "")
	wantSentence(t, checkDoc(pkg{path: "f2", name: "f2", doc: "\n"}), "package girih/f2 has no package comment")
	wantSentence(t, checkDoc(pkg{path: "f2", name: "f2", doc: "Helpers.\n"}), `must start with "Package f2 "`)
}

func TestLengthRule(t *testing.T) {
	tests := []struct {
		file      goFile
		bad, note string
	}{
		{goFile{"a.go", longFile, false}, "", ""},
		{goFile{"a.go", longFile + 1, false}, "", "a.go has 601 lines"},
		{goFile{"a.go", maxFile, false}, "", "a.go has 1000 lines"},
		{goFile{"a.go", maxFile + 1, false}, "a.go has 1001 lines, more than 1000", ""},
		{goFile{"a.go", 5000, true}, "", ""},
	}
	for _, tt := range tests {
		bad, note := checkLength(tt.file)
		if !strings.HasPrefix(bad, tt.bad) || (bad == "") != (tt.bad == "") {
			t.Errorf("checkLength(%v) refuses with %q, want %q", tt.file, bad, tt.bad)
		}
		if !strings.HasPrefix(note, tt.note) || (note == "") != (tt.note == "") {
			t.Errorf("checkLength(%v) notes %q, want %q", tt.file, note, tt.note)
		}
	}
	for src, want := range map[string]int{"": 0, "a": 1, "a\n": 1, "a\nb": 2} {
		if got := countLines([]byte(src)); got != want {
			t.Errorf("countLines(%q) = %d, want %d", src, got, want)
		}
	}
	if !isGenerated([]byte("// Code generated by x; DO NOT EDIT.\n\npackage a\n")) || isGenerated([]byte("// Package a is.\npackage a\n")) {
		t.Error("isGenerated does not tell generated files from others")
	}
}

func TestBinaryRule(t *testing.T) {
	wantSentence(t, checkBinary(binaryFile{path: "girih", size: maxBinary - 1}), "")
	wantSentence(t, checkBinary(binaryFile{path: "girih", size: maxBinary}), "girih has 29360128 bytes, the limit is 29360128")
	wantSentence(t, checkBinary(binaryFile{path: "girih", interp: true}), "PT_INTERP")
	wantSentence(t, checkBinary(binaryFile{path: "girih", needed: []string{"libc.so.6"}}), "girih needs shared libraries: libc.so.6")
}

// TestReadBinary reads an ELF file with one program header, with and without an interpreter.
func TestReadBinary(t *testing.T) {
	for _, typ := range []elf.ProgType{elf.PT_LOAD, elf.PT_INTERP} {
		var buf bytes.Buffer
		ident := [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)}
		header := elf.Header64{
			Ident: ident, Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: uint32(elf.EV_CURRENT),
			Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: 1,
		}
		for _, part := range []any{header, elf.Prog64{Type: uint32(typ)}} {
			if err := binary.Write(&buf, binary.LittleEndian, part); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(t.TempDir(), "a.out")
		if err := os.WriteFile(path, buf.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := readBinary(path)
		if err != nil {
			t.Fatal(err)
		}
		if want := typ == elf.PT_INTERP; b.interp != want || b.size != 120 {
			t.Errorf("readBinary of a file with %v = %+v, want interp %v and 120 bytes", typ, b, want)
		}
	}
}

// wantSentence checks that bad is empty if want is empty, and otherwise contains exactly one sentence with want.
func wantSentence(t *testing.T, bad []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(bad) > 0:
		t.Errorf("got %q, want no complaint", bad)
	case want != "" && (len(bad) != 1 || !strings.Contains(bad[0], want)):
		t.Errorf("got %q, want one sentence with %q", bad, want)
	}
}
