package archtest

import "strings"

// modulePath is the path of the main module.
const modulePath = "girih"

// A floor is one level of the house, counted from the ground: imports point to strictly lower floors only.
type floor struct {
	name string
	rows []row // in the order in which a newcomer reads them
}

// A row states exactly what one package imports besides the standard library.
type row struct {
	path    string // below the module root
	imports string // paths of girih packages, with blanks between them
	tests   string // girih packages on any floor that only its tests import
	modules string // third-party modules

	floor int // the index of its floor
}

// A house is the table: package path below the module root -> row.
type house map[string]row

// These are the third-party modules.
const (
	modCobra      = "github.com/spf13/cobra"
	modPflag      = "github.com/spf13/pflag"
	modReadline   = "github.com/reeflective/readline"
	modMCP        = "github.com/modelcontextprotocol/go-sdk" // the client that tests girih mcp
	modSchema     = "github.com/google/jsonschema-go"        // checks the schemas of tools
	modImage      = "golang.org/x/image"
	modSys        = "golang.org/x/sys" // the width and the keys of a terminal; libraries of Windows
	modPurego     = "github.com/ebitengine/purego"
	modDemangle   = "github.com/ianlancetaylor/demangle"
	modTOML       = "github.com/BurntSushi/toml"    // girih.toml
	modBrotli     = "github.com/andybalholm/brotli" // the engines of a release
	modMarkdown   = "github.com/yuin/goldmark"      // the documents of the site of a release
	modRapid      = "pgregory.net/rapid"
	modCmp        = "github.com/google/go-cmp"
	modTestscript = "github.com/rogpeppe/go-internal"
)

// testModules are the modules that every test may import.
var testModules = []string{modRapid, modCmp, modTestscript, modMCP, modSchema, modImage}

// isCheck reports whether the package at path checks other packages. Every test may import such a package, but no
// command except cmd/girih-check may.
func isCheck(path string) bool {
	return strings.HasPrefix(path, "internal/check/") || path == "cmd/girih-check"
}

// owners lists who may import the modules that change what a binary is. For all other modules, only the rows decide.
var owners = map[string][]string{
	modCobra:    {"internal/door/cli"},
	modPflag:    {"internal/door/cli"},
	modReadline: {"internal/door/repl"},
	modPurego:   {"internal/card/cuda"},
	modBrotli:   {"internal/door/web/engine"},
	modMarkdown: {"internal/cmd/release"},
	modDemangle: {"internal/machine/entry"},
	modTOML:     {"internal/door/cli"},
}

// withDriver lists the packages that may depend on purego, also indirectly: their binaries are dynamic on Linux.
var withDriver = []string{
	"cmd/girih-gpu", "gpu", "internal/card/command", "internal/card/copies", "internal/card/cuda", "internal/card/gemms",
	"internal/card/proof",
}

// floors is the table that docs/design/house.md shows. A package that has no row fails TestImports.
var floors = []floor{
	{"ground", []row{
		{path: "internal/ints"},
		{path: "fault"},
		{path: "f2"},
		{path: "internal/picture/draw"},
		{path: "internal/pattern"},
		{path: "internal/budget"},
		{path: "internal/door/web/deflate"},
		{path: "internal/packed", tests: "internal/door/web/deflate"},
		{path: "internal/file"},
		{path: "internal/finding"},
		{path: "internal/terminal", modules: modSys},
		{path: "internal/check/cmdline"},
		{path: "internal/check/long"},
		{path: "internal/version"},
	}},
	{"the algebra", []row{
		{path: "cute", imports: "fault internal/ints", tests: "internal/check/long"},
		{path: "dtype", imports: "fault"},
		{path: "ptx", imports: "fault"},
		{path: "internal/machine/chain"},
		{path: "ptx/consistency", tests: "fault internal/machine/litmus"},
		{path: "internal/lang/syntax", imports: "fault"},
		{path: "internal/lang/scope"},
		{path: "internal/picture/svg", imports: "internal/picture/draw"},
		{path: "internal/picture/png", imports: "internal/picture/draw internal/ints"},
		{path: "internal/picture/tikz", imports: "internal/picture/draw"},
		{path: "internal/picture/term", imports: "internal/picture/draw"},
		{path: "internal/why/judge", imports: "internal/ints", tests: "cute"},
		{path: "internal/card/cuda", imports: "fault internal/file", modules: modPurego + " " + modSys},
	}},
	{"other layouts, and machines", []row{
		{path: "symbolic", imports: "cute internal/ints"},
		{path: "linear", imports: "cute internal/ints f2"},
		{path: "atom", imports: "cute dtype internal/ints"},
		{path: "banks", imports: "cute internal/ints"},
		{path: "internal/lang/program", imports: "internal/pattern internal/lang/syntax"},
		// The models of other people's algebras share no code with girih's algebra; only their tests use both.
		{path: "internal/why/compat", imports: "internal/ints internal/why/judge", tests: "internal/lang/eval"},
		{path: "internal/why/condition", imports: "internal/ints dtype internal/pattern"},
		{path: "internal/why/relation", imports: "cute"},
		{path: "internal/card/trial", imports: "ptx"},
		{path: "ptx/flow", imports: "ptx"},
		{path: "internal/machine/litmus", imports: "fault ptx/consistency", tests: "internal/check/long ptx ptx/sim"},
	}},
	{"what follows from them", []row{
		{path: "tensor", imports: "internal/ints cute dtype atom"},
		{path: "internal/lang/triton", imports: "cute linear"},
		{path: "internal/lang/python", imports: "internal/pattern internal/lang/program"},
		{path: "internal/lang/triton/convert", imports: "cute f2 linear"},
		{path: "swizzle", imports: "cute internal/ints f2 banks"},
		{path: "tensormap", imports: "internal/ints cute dtype symbolic"},
		{path: "descriptor", imports: "internal/ints cute dtype atom"},
		{path: "internal/machine/tile", imports: "internal/ints cute dtype symbolic atom"},
		{path: "internal/machine/dot", imports: "cute dtype atom"},
		{path: "internal/card/probe", imports: "ptx banks"},
		{
			path: "internal/card/outcomes", imports: "fault ptx internal/machine/litmus",
			tests: "internal/check/long internal/card/probe ptx/sim",
		},
		{path: "ptx/lint", imports: "ptx ptx/flow"},
	}},
	{"tensor memory", []row{
		{path: "tmem", imports: "internal/ints cute dtype atom descriptor", tests: "internal/check/long internal/lang/triton"},
	}},
	{"instructions", []row{
		{path: "internal/lang/indexmap", imports: "cute internal/ints linear swizzle"},
		{path: "internal/lang/codegen", imports: "cute f2 symbolic linear internal/ints internal/lang/triton"},
		{path: "internal/lang/codegen/atoms", imports: "dtype atom"},
		{path: "internal/machine/lower", imports: "cute ptx atom descriptor"},
		{path: "internal/machine/address", imports: "cute internal/ints symbolic swizzle ptx", tests: "ptx/sim"},
		{path: "tensor/tiled", imports: "internal/ints cute dtype tensor atom internal/machine/dot"},
		{
			path: "ptx/sim", imports: "cute fault dtype ptx atom banks descriptor tensormap tmem internal/machine/dot internal/machine/chain",
			tests: "internal/card/truth internal/card/probe internal/machine/runfile internal/check/long",
		},
	}},
	{"language, pictures, reasons", []row{
		{path: "internal/notice", imports: "internal/packed"},
		{path: "internal/glossary", imports: "internal/packed"},
		{path: "internal/listing", imports: "internal/packed"},
		{
			path: "internal/lang/eval",
			imports: "cute internal/ints f2 dtype internal/lang/syntax symbolic linear atom tensor " +
				"tensor/tiled internal/lang/triton swizzle descriptor tmem tensormap internal/machine/tile internal/lang/indexmap",
		},
		{
			path:    "internal/picture/view",
			imports: "cute internal/ints f2 internal/picture/draw internal/why/relation linear atom banks swizzle descriptor tensormap internal/machine/tile",
			tests:   "dtype symbolic",
		},
		{path: "internal/why/explain", imports: "cute internal/ints f2 linear atom banks swizzle", tests: "dtype"},
		{path: "internal/lang/emit", imports: "cute dtype atom internal/machine/address internal/lang/codegen internal/lang/codegen/atoms"},
		{
			path: "internal/card/truth", imports: "cute dtype ptx atom descriptor tensormap internal/machine/lower internal/machine/dot",
			tests: "ptx/sim",
		},
		{path: "internal/card/truth/scalar", imports: "ptx ptx/sim"},
		{path: "internal/machine/runfile", imports: "dtype ptx ptx/flow internal/pattern tensormap ptx/sim"},
		{path: "internal/machine/entry", imports: "ptx", modules: modDemangle},
		{
			path: "internal/machine/needless", imports: "ptx ptx/sim internal/machine/chain",
			tests: "internal/machine/runfile internal/check/long",
		},
	}},
	{"what people paste", []row{
		{path: "internal/lang/document", imports: "internal/packed internal/pattern internal/lang/syntax internal/lang/program"},
		// reader takes the names of operations from the language's table.
		{path: "internal/lang/reader", imports: "cute internal/lang/syntax internal/lang/indexmap internal/lang/eval internal/pattern"},
		{path: "internal/lang/report", imports: "cute internal/lang/syntax internal/lang/eval internal/why/explain"},
		{
			path:    "internal/lang/codegen/device",
			imports: "cute dtype symbolic atom descriptor tensormap internal/lang/codegen internal/why/explain",
		},
		{path: "internal/picture/pipeline", imports: "ptx/sim internal/picture/view"},
		{
			path:    "kernel",
			imports: "cute internal/ints internal/packed dtype symbolic atom banks swizzle descriptor tensormap tmem ptx internal/machine/address internal/machine/lower internal/lang/emit ptx/sim",
			tests:   "tensor tensor/tiled internal/machine/dot internal/lang/reader examples",
		},
	}},
	{"diagnosis, and kernels", []row{
		{
			path:    "internal/lang/paste",
			imports: "cute dtype atom internal/pattern internal/lang/syntax internal/lang/eval internal/lang/reader internal/lang/report",
		},
		{
			path:    "internal/picture/link",
			imports: "cute f2 dtype linear atom banks internal/lang/eval internal/lang/report internal/picture/view internal/why/relation",
		},
		{
			path: "internal/picture/follow", imports: "cute dtype atom descriptor tmem ptx banks ptx/sim internal/machine/lower kernel",
			tests: "examples",
		},
		{path: "examples", imports: "cute dtype symbolic atom descriptor banks swizzle kernel", tests: "ptx ptx/sim"},
		{path: "kernel/copy", imports: "cute internal/ints dtype ptx banks kernel symbolic", tests: "ptx/sim swizzle"},
		{path: "kernel/gemm", imports: "cute internal/ints dtype symbolic atom descriptor kernel", tests: "ptx/sim"},
		{path: "internal/machine/gemm", imports: "cute dtype internal/ints symbolic atom banks swizzle descriptor tensor/tiled internal/machine/lower kernel", tests: "ptx"},
		// diagnose uses girih and the models of the tools to answer what a tool refused.
		{
			path: "internal/why/diagnose",
			imports: "cute internal/ints dtype internal/pattern symbolic atom descriptor tensormap internal/machine/tile internal/lang/reader " +
				"internal/lang/eval " +
				"internal/why/compat internal/why/condition internal/why/explain",
		},
	}},
	{"programs, and cards", []row{
		{path: "internal/check/product", imports: "cute dtype kernel kernel/gemm"},
		{path: "gpu", imports: "fault cute dtype ptx tensormap internal/card/cuda kernel kernel/copy kernel/gemm", tests: "symbolic atom internal/card/trial"},
		{
			path: "internal/lang/interp",
			imports: "internal/ints internal/packed cute dtype internal/pattern atom tensor tensor/tiled tmem tensormap internal/lang/syntax " +
				"internal/lang/program internal/lang/python internal/lang/indexmap internal/lang/eval " +
				"internal/lang/reader internal/lang/report internal/lang/paste",
		},
	}},
	{"programs with kernels", []row{
		{
			path:    "internal/lang/traced",
			imports: "cute dtype symbolic atom internal/pattern internal/lang/eval internal/lang/interp kernel",
			tests:   "internal/lang/program internal/lang/report ptx/sim",
		},
	}},
	{"service", []row{
		{path: "internal/card/command", imports: "cute internal/terminal gpu"},
		{path: "internal/card/peers"},
		{
			path: "internal/service",
			imports: "cute dtype internal/pattern internal/budget internal/finding internal/version internal/glossary symbolic linear atom banks internal/lang/triton/convert swizzle " +
				"internal/machine/tile descriptor tensormap tmem " +
				"internal/lang/syntax internal/lang/scope internal/lang/indexmap internal/lang/program internal/lang/reader internal/lang/eval internal/lang/codegen internal/lang/codegen/atoms internal/machine/gemm " +
				"internal/lang/codegen/device internal/lang/report internal/lang/paste internal/lang/document internal/lang/interp internal/lang/traced " +
				"ptx ptx/lint ptx/sim internal/machine/runfile internal/machine/entry internal/machine/litmus internal/machine/needless kernel kernel/copy kernel/gemm examples " +
				"internal/picture/draw internal/picture/svg internal/picture/png internal/picture/tikz internal/picture/term " +
				"internal/picture/view internal/picture/link internal/picture/follow internal/listing internal/picture/pipeline internal/why/relation internal/why/explain " +
				"internal/why/compat internal/why/diagnose",
			tests: "internal/check/cmdline",
		},
		{path: "internal/door/web/engine", imports: "internal/door/web/deflate", modules: modBrotli},
	}},
	{"doors, and checks", []row{
		{
			path:    "internal/door/cli",
			imports: "internal/file internal/finding internal/terminal internal/notice internal/version internal/glossary internal/lang/report internal/service",
			tests:   "internal/check/cmdline", modules: modCobra + " " + modPflag + " " + modTOML,
		},
		{path: "internal/door/repl", imports: "internal/file internal/terminal internal/glossary internal/lang/report internal/service", modules: modReadline},
		{path: "internal/door/mcp", imports: "internal/budget internal/version internal/lang/report internal/service"},
		{path: "internal/door/lines", imports: "internal/budget internal/version internal/lang/report internal/service"},
		{
			path:    "internal/door/web",
			imports: "internal/budget internal/file internal/notice internal/glossary internal/lang/report internal/service",
		},
		{
			path: "internal/card/copies",
			imports: "cute dtype internal/file internal/terminal symbolic internal/lang/eval kernel kernel/copy gpu " +
				"internal/card/command internal/card/peers",
		},
		{
			path: "internal/card/gemms",
			imports: "cute internal/ints dtype internal/file internal/terminal atom kernel kernel/gemm examples internal/machine/lower " +
				"internal/machine/gemm gpu internal/card/command internal/card/peers",
			tests: "ptx",
		},
		{
			path: "internal/card/proof",
			imports: "ptx atom banks tensormap internal/file internal/terminal internal/version internal/machine/litmus " +
				"internal/machine/lower internal/card/trial internal/card/probe internal/card/outcomes internal/card/truth " +
				"internal/card/truth/scalar gpu " +
				"internal/card/command",
		},
		{path: "internal/door/web/pictures", tests: "cute atom banks internal/lang/eval internal/picture/draw internal/service"},
		{path: "internal/check/oracle", imports: "cute internal/ints"},
		{path: "internal/check/gen", imports: "cute", modules: modRapid},
		{path: "internal/check/hostile", imports: "internal/lang/eval"},
		{
			path: "internal/check/vectors",
			imports: "cute f2 dtype internal/pattern linear tensor tensor/tiled atom banks internal/lang/triton internal/lang/triton/convert internal/lang/reader " +
				"tensormap internal/lang/eval internal/why/judge internal/card/probe internal/card/truth",
		},
		{path: "internal/check/archtest", tests: "internal/door/web/engine"},
	}},
	{"commands", []row{
		{
			path: "cmd/girih", imports: "internal/door/cli internal/door/repl internal/door/mcp internal/door/lines internal/door/web",
			tests: "internal/terminal",
		},
		{path: "cmd/girih-wasm", imports: "internal/service"},
		{
			path: "cmd/girih-gpu",
			imports: "internal/terminal internal/notice internal/version gpu internal/card/command internal/card/copies " +
				"internal/card/gemms internal/card/proof",
		},
		{path: "cmd/girih-check", imports: "internal/terminal internal/check/vectors"},
		{path: "internal/check/gallery", imports: "internal/check/cmdline internal/door/cli", tests: "cute atom internal/lang/eval internal/service"},
		{
			path:    "internal/cmd/release",
			imports: "internal/door/cli internal/door/web/deflate internal/door/web/engine internal/file internal/service internal/version",
			modules: modImage + " " + modMarkdown, tests: "internal/notice",
		},
		{path: "internal/cmd/ptxprint", imports: "ptx"},
		{path: "internal/check/platforms"},
		{path: "internal/check/pty", modules: modSys},
		{path: "internal/door/web/bundle", imports: "internal/picture/draw internal/service internal/door/web/deflate internal/door/web/engine"},
		{
			path:    "internal/check/hostile/search",
			imports: "internal/budget internal/lang/eval internal/service internal/check/hostile",
		},
	}},
}

// theHouse maps each path to its row on the floors.
var theHouse = func() house {
	h := house{}
	for i, f := range floors {
		for _, r := range f.rows {
			r.floor = i
			h[r.path] = r
		}
	}
	return h
}()

// paths splits a list of paths at blanks.
func paths(list string) []string { return strings.Fields(list) }
