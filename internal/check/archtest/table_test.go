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
var testHelpers = []string{"internal/check/oracle", "internal/check/gen", "internal/check/hostile"}

// owners says who may import the modules that change what a binary is. All others are only ruled by the rows.
var owners = map[string][]string{
	modCobra:    {"internal/door/cli"},
	modPflag:    {"internal/door/cli"},
	modReadline: {"internal/door/repl"},
	modMCP:      {"internal/door/mcp"},
	modSchema:   {"internal/door/mcp"},
	modPurego:   {"internal/cuda"},
}

// withDriver are the packages that may reach purego through what they import: their binaries are dynamic on Linux.
var withDriver = []string{"cmd/girih-gpu", "gpu", "internal/cuda"}

// theHouse is the import table of docs/design.md. A package that is not listed fails TestTree.
var theHouse = func() house {
	h := house{
		"internal/ints":         {floor: 0},
		"internal/pattern":      {floor: 0},
		"internal/cmdline":      {floor: 0},
		"internal/file":         {floor: 0},
		"internal/terminal":     {floor: 0},
		"internal/budget":       {floor: 0},
		"internal/notice":       {floor: 0},
		"internal/version":      {floor: 0},
		"f2":                    {floor: 0},
		"dtype":                 {floor: 0},
		"internal/picture/draw": {floor: 0},
		"internal/lang/syntax":  {floor: 0},
		"ptx":                   {floor: 0},

		"internal/door/web/pack":   {floor: 0},
		"internal/door/web/engine": {floor: 10, imports: []string{"internal/door/web/pack"}},
		"internal/door/web/bundle": {floor: 20, imports: []string{"internal/door/web/engine"}}, // makes the page out of its sources

		".":                     {floor: 10, imports: []string{"internal/ints"}},
		"internal/picture/svg":  {floor: 10, imports: []string{"internal/picture/draw"}},
		"internal/picture/png":  {floor: 10, imports: []string{"internal/picture/draw"}, modules: []string{modImage}},
		"internal/picture/tikz": {floor: 10, imports: []string{"internal/picture/draw"}},
		"internal/picture/term": {floor: 10, imports: []string{"internal/picture/draw"}},

		"symbolic":              {floor: 20, imports: []string{".", "internal/ints"}},
		"linear":                {floor: 20, imports: []string{".", "internal/ints", "f2"}},
		"tensor":                {floor: 20, imports: []string{".", "dtype"}},
		"internal/lang/program": {floor: 10, imports: []string{"dtype", "internal/pattern"}},
		"internal/lang/reader":  {floor: 20, imports: []string{".", "internal/lang/syntax", "internal/pattern"}},
		"internal/cuda":         {floor: 20, imports: []string{"internal/file"}, modules: []string{modPurego, modSys}},

		"internal/trial": {floor: 25, imports: []string{"ptx"}},

		"gpu":            {floor: 30, imports: []string{"ptx", "internal/cuda", "internal/trial"}},
		"triton":         {floor: 30, imports: []string{".", "f2", "linear"}},
		"triton/convert": {floor: 30, imports: []string{".", "f2", "linear"}},
		"atom":           {floor: 30, imports: []string{".", "dtype", "tensor"}},

		"internal/lower": {floor: 40, imports: []string{".", "dtype", "atom", "ptx"}},
		"internal/dot":   {floor: 40, imports: []string{".", "dtype", "atom"}},
		"internal/truth": {floor: 45, imports: []string{".", "dtype", "atom", "ptx", "internal/lower", "internal/dot"}},

		"banks":                 {floor: 40, imports: []string{".", "linear", "triton", "atom", "dtype"}},
		"internal/lang/codegen": {floor: 40, imports: []string{".", "f2", "symbolic", "linear", "triton", "atom", "dtype"}},

		"internal/gemm": {floor: 46, imports: []string{".", "dtype", "atom", "banks", "swizzle", "ptx", "internal/lower"}},
		"swizzle":       {floor: 45, imports: []string{".", "internal/ints", "f2", "linear", "banks", "dtype"}},

		"internal/picture/view": {floor: 50, imports: []string{".", "f2", "dtype", "linear", "triton", "atom", "banks", "swizzle", "internal/picture/draw"}},
		"internal/lang/eval":    {floor: 50, imports: []string{"internal/ints", "internal/lang/syntax", "dtype", "f2", ".", "symbolic", "linear", "triton", "tensor", "atom", "banks", "swizzle", "internal/lang/codegen"}},
		"kernel":                {floor: 50, imports: []string{".", "linear", "atom", "banks", "swizzle", "internal/lang/codegen"}},

		"internal/why/explain": {floor: 50, imports: []string{".", "internal/ints", "f2", "linear", "atom", "banks", "swizzle", "dtype"}},

		"internal/door/cli":  {floor: 70, imports: []string{"internal/service", "internal/cmdline", "internal/file", "internal/notice", "internal/terminal", "internal/version"}, modules: []string{modCobra, modPflag, modSys}, front: true},
		"internal/door/repl": {floor: 70, imports: []string{"internal/service", "internal/file", "internal/terminal"}, modules: []string{modReadline}, front: true},
		"internal/door/web":  {floor: 70, imports: []string{"internal/budget", "internal/service", "internal/file", "internal/notice", "internal/door/web/engine"}, front: true},

		"internal/door/mcp":          {floor: 70, imports: []string{"internal/budget", "internal/service", "internal/version"}, modules: []string{modMCP, modSchema}, front: true},
		"internal/door/mcp/fielddoc": {floor: 0}, // makes the descriptions of fields out of comments

		"cmd/girih": {floor: 80, imports: []string{"internal/door/cli", "internal/door/repl", "internal/door/web", "internal/door/mcp", "internal/terminal"}},
		// Writes what goes with the binaries of a release.
		"internal/release": {floor: 80, imports: []string{"internal/file", "internal/notice", "internal/version"}},
		// Draws docs/gallery through the command line, so that what the page says is what draws the picture.
		"internal/gallery": {floor: 80, imports: []string{".", "atom", "internal/lang/eval", "internal/door/cli", "internal/service", "internal/cmdline"}},
		// Tests that compare what the page shows with brute force.
		"internal/door/web/pictures": {floor: 80, imports: []string{".", "atom", "banks", "internal/lang/eval", "internal/service"}},
		// Kernels that execute one access, and what their measurement says of analyze.
		"internal/probe":    {floor: 50, imports: []string{"banks", "ptx"}},
		"internal/ptxprint": {floor: 10, imports: []string{"ptx"}}, // for ptx/testdata/compile.sh
		"cmd/girih-wasm":    {floor: 80, imports: []string{"internal/service"}},
		"cmd/girih-gpu":     {floor: 80, imports: []string{".", "dtype", "atom", "ptx", "kernel", "gpu", "internal/lower", "internal/trial", "internal/truth", "internal/file", "internal/notice", "internal/terminal", "internal/version", "banks", "internal/gemm", "internal/probe"}},

		"internal/check/oracle":   {floor: testFloor, imports: []string{"."}},
		"internal/check/gen":      {floor: testFloor, imports: []string{"."}, modules: []string{modRapid}},
		"internal/check/archtest": {floor: testFloor},
		"internal/check/hostile":  {floor: 90, imports: []string{"internal/lang/eval", "internal/service"}},
		// Looks for the worst input of each operation.
		"internal/check/hostile/search": {floor: 95, imports: []string{"internal/lang/eval", "internal/budget", "internal/service", "internal/check/hostile"}},
	}
	// These two see everything below them except the GPU driver, which girih does without.
	h["internal/conform"] = row{floor: 55, imports: below(h, 55, "internal/cuda", "gpu")}
	// The models of other people's algebras share no code with girih's; what is right is conform's to say.
	h["internal/why/compat"] = row{floor: 57, imports: []string{"internal/ints", "internal/conform"}}
	// What a tool refused is answered by girih and by the models of the tools.
	h["internal/why/diagnose"] = row{floor: 58, imports: []string{"internal/lang/syntax", "dtype", ".", "internal/lang/reader", "atom", "internal/lang/eval", "internal/why/explain", "internal/why/compat", "internal/ints", "internal/pattern"}}
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
