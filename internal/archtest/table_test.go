package archtest

import (
	"fmt"
	"slices"
)

// modulePath is the path of the main module, which is also the import path of its root package.
const modulePath = "girih"

// A floor is a height in the house, in tenths, so that a package can be put between two floors.
// Imports point to strictly lower floors only.
type floor int

// testFloor holds the packages that only tests import; it is above everything.
const testFloor floor = 1000

// String returns the floor as the design writes it: "5", "5.5", "test".
func (f floor) String() string {
	switch {
	case f == testFloor:
		return "test"
	case f%10 == 0:
		return fmt.Sprint(int(f / 10))
	}
	return fmt.Sprintf("%d.%d", f/10, f%10)
}

// A row states what one package may import besides the standard library.
type row struct {
	floor   floor
	imports []string // girih packages, by their path below the module root; "." is the root itself
	modules []string // third-party modules
	front   bool     // a front end: two of them never know each other
}

// A house is the table: package path below the module root -> row.
type house map[string]row

// Third-party modules.
const (
	modCobra      = "github.com/spf13/cobra"
	modPflag      = "github.com/spf13/pflag"
	modReadline   = "github.com/reeflective/readline"
	modMCP        = "github.com/modelcontextprotocol/go-sdk"
	modSchema     = "github.com/google/jsonschema-go" // in which the SDK takes schemas
	modImage      = "golang.org/x/image"
	modSys        = "golang.org/x/sys" // the width of a terminal; libraries of Windows
	modPurego     = "github.com/ebitengine/purego"
	modRapid      = "pgregory.net/rapid"
	modCmp        = "github.com/google/go-cmp"
	modTestscript = "github.com/rogpeppe/go-internal"
)

// testModules are the modules that every test may import.
var testModules = []string{modRapid, modCmp, modTestscript}

// testHelpers are the girih packages that every test, and nothing but a test, may import.
var testHelpers = []string{"internal/oracle", "internal/gen", "internal/hostile"}

// owners says who may import the modules that change what a binary is. All others are only ruled by the rows.
var owners = map[string][]string{
	modCobra:    {"internal/cli"},
	modPflag:    {"internal/cli"},
	modReadline: {"internal/repl"},
	modMCP:      {"internal/mcp"},
	modSchema:   {"internal/mcp"},
	modPurego:   {"internal/cuda"},
}

// withDriver are the packages that may reach purego through what they import: their binaries are dynamic on Linux.
var withDriver = []string{"cmd/girih-gpu", "gpu", "internal/cuda"}

// theHouse is the import table of docs/design.md. A package that is not listed fails TestTree.
var theHouse = func() house {
	h := house{
		"internal/ints":     {floor: 0},
		"internal/pattern":  {floor: 0},
		"internal/cmdline":  {floor: 0},
		"internal/file":     {floor: 0},
		"internal/terminal": {floor: 0},
		"internal/budget":   {floor: 0},
		"internal/notice":   {floor: 0},
		"internal/version":  {floor: 0},
		"f2":                {floor: 0},
		"dtype":             {floor: 0},
		"draw":              {floor: 0},
		"syntax":            {floor: 0},
		"ptx":               {floor: 0},

		"internal/web/pack":   {floor: 0},
		"internal/web/engine": {floor: 10, imports: []string{"internal/web/pack"}},
		"internal/web/bundle": {floor: 20, imports: []string{"internal/web/engine"}}, // makes the page out of its sources

		".":         {floor: 10, imports: []string{"internal/ints"}},
		"draw/svg":  {floor: 10, imports: []string{"draw"}},
		"draw/png":  {floor: 10, imports: []string{"draw"}, modules: []string{modImage}},
		"draw/tikz": {floor: 10, imports: []string{"draw"}},
		"draw/term": {floor: 10, imports: []string{"draw"}},

		"symbolic":      {floor: 20, imports: []string{".", "internal/ints"}},
		"linear":        {floor: 20, imports: []string{".", "internal/ints", "f2"}},
		"tensor":        {floor: 20, imports: []string{".", "dtype"}},
		"reader":        {floor: 20, imports: []string{".", "syntax", "internal/pattern"}},
		"internal/cuda": {floor: 20, imports: []string{"internal/file"}, modules: []string{modPurego, modSys}},

		"internal/trial": {floor: 25, imports: []string{"ptx"}},

		"gpu":      {floor: 30, imports: []string{"ptx", "internal/cuda", "internal/trial"}},
		"encoding": {floor: 30, imports: []string{".", "f2", "linear"}},
		"convert":  {floor: 30, imports: []string{".", "f2", "linear"}},
		"atom":     {floor: 30, imports: []string{".", "dtype", "tensor"}},

		"internal/lower": {floor: 40, imports: []string{".", "dtype", "atom", "ptx"}},
		"internal/dot":   {floor: 40, imports: []string{".", "dtype", "atom"}},
		"internal/truth": {floor: 45, imports: []string{".", "dtype", "atom", "ptx", "internal/lower", "internal/dot"}},

		"analyze": {floor: 40, imports: []string{".", "linear", "encoding", "atom", "dtype"}},
		"codegen": {floor: 40, imports: []string{".", "f2", "symbolic", "linear", "encoding", "atom", "dtype"}},

		"gemm":    {floor: 46, imports: []string{".", "dtype", "atom", "analyze", "swizzle", "ptx", "internal/lower"}},
		"swizzle": {floor: 45, imports: []string{".", "internal/ints", "f2", "linear", "analyze", "dtype"}},

		"view":   {floor: 50, imports: []string{".", "f2", "dtype", "linear", "encoding", "atom", "analyze", "swizzle", "draw"}},
		"eval":   {floor: 50, imports: []string{"internal/ints", "syntax", "dtype", "f2", ".", "symbolic", "linear", "encoding", "tensor", "atom", "analyze", "swizzle", "codegen"}},
		"kernel": {floor: 50, imports: []string{".", "linear", "atom", "analyze", "swizzle", "codegen"}},

		"explain": {floor: 50, imports: []string{".", "internal/ints", "f2", "linear", "atom", "analyze", "swizzle", "dtype"}},

		"internal/cli":  {floor: 70, imports: []string{"internal/service", "internal/cmdline", "internal/file", "internal/notice", "internal/terminal", "internal/version"}, modules: []string{modCobra, modPflag, modSys}, front: true},
		"internal/repl": {floor: 70, imports: []string{"internal/service", "internal/file", "internal/terminal"}, modules: []string{modReadline}, front: true},
		"internal/web":  {floor: 70, imports: []string{"internal/budget", "internal/service", "internal/file", "internal/notice", "internal/web/engine"}, front: true},

		"internal/mcp":          {floor: 70, imports: []string{"internal/budget", "internal/service", "internal/version"}, modules: []string{modMCP, modSchema}, front: true},
		"internal/mcp/fielddoc": {floor: 0}, // makes the descriptions of fields out of comments

		"cmd/girih": {floor: 80, imports: []string{"internal/cli", "internal/repl", "internal/web", "internal/mcp", "internal/terminal"}},
		// Writes what goes with the binaries of a release.
		"internal/release": {floor: 80, imports: []string{"internal/file", "internal/notice", "internal/version"}},
		// Draws docs/gallery through the command line, so that what the page says is what draws the picture.
		"internal/gallery": {floor: 80, imports: []string{".", "atom", "eval", "internal/cli", "internal/service", "internal/cmdline"}},
		// Tests that compare what the page shows with brute force.
		"internal/web/pictures": {floor: 80, imports: []string{".", "atom", "analyze", "eval", "internal/service"}},
		// Kernels that execute one access, and what their measurement says of analyze.
		"internal/probe":    {floor: 50, imports: []string{"analyze", "ptx"}},
		"internal/ptxprint": {floor: 10, imports: []string{"ptx"}}, // for ptx/testdata/compile.sh
		"cmd/girih-wasm":    {floor: 80, imports: []string{"internal/service"}},
		"cmd/girih-gpu":     {floor: 80, imports: []string{".", "dtype", "atom", "ptx", "kernel", "gpu", "internal/lower", "internal/trial", "internal/truth", "internal/file", "internal/notice", "internal/terminal", "internal/version", "analyze", "gemm", "internal/probe"}},

		"internal/oracle":   {floor: testFloor, imports: []string{"."}},
		"internal/gen":      {floor: testFloor, imports: []string{"."}, modules: []string{modRapid}},
		"internal/archtest": {floor: testFloor},
		"internal/hostile":  {floor: 90, imports: []string{"eval", "internal/service"}},
		// Looks for the worst input of each operation.
		"internal/hostile/search": {floor: 95, imports: []string{"eval", "internal/budget", "internal/service", "internal/hostile"}},
	}
	// These two see everything below them except the GPU driver, which girih does without.
	h["internal/conform"] = row{floor: 55, imports: below(h, 55, "internal/cuda", "gpu")}
	// The models of other people's algebras share no code with girih's; what is right is conform's to say.
	h["internal/compat"] = row{floor: 57, imports: []string{"internal/ints", "internal/conform"}}
	// What a tool refused is answered by girih and by the models of the tools.
	h["diagnose"] = row{floor: 58, imports: []string{"syntax", "dtype", ".", "reader", "atom", "eval", "explain", "internal/compat", "internal/ints", "internal/pattern"}}
	h["internal/service"] = row{floor: 60, imports: below(h, 60, "internal/cuda", "gpu")}
	return h
}()

// below lists the packages of h on floors strictly below f, without the named ones, sorted.
func below(h house, f floor, without ...string) []string {
	var names []string
	for name, r := range h {
		if r.floor < f && !slices.Contains(without, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
