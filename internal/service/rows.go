package service

import (
	"fmt"
	"strings"

	"girih/internal/version"
)

// operationRows is the table of all operations. Operations that only programs ask for come last; a row without a name
// belongs to an operation missing from this build.
func operationRows() []Operation {
	var rows []Operation
	for _, part := range []struct {
		subject string
		rows    []func() Operation
	}{
		{"expressions", []func() Operation{evalOperation, runOperation, helpOperation, explainOperation, compatOperation}},
		{"memory", []func() Operation{
			bankOperation, swizzleOperation, descriptorOperation, tmemOperation, tmaOperation, predicateOperation, alignOperation,
			budgetOperation, recognizeOperation, betweenOperation, globalOperation,
		}},
		{"instructions", []func() Operation{
			atomsOperation, atomOperation, tiledMMAOperation, mmaOperation, permuteOperation, copiesOperation, gemmOperation,
		}},
		{"kernels", []func() Operation{
			simOperation, followOperation, checkOperation, checkToolOperation, lintOperation, litmusOperation, kernelOperation,
			copyOperation,
		}},
		{"layouts", []func() Operation{
			partitionOperation, drawOperation, linearOperation, convertOperation, showOperation, whyOperation, readOperation,
			gridOperation, compareOperation,
		}},
	} {
		for _, row := range part.rows {
			op := row()
			op.Subject = part.subject
			rows = append(rows, op)
		}
	}
	return append(rows,
		forPrograms("complete", "The names that fit at a place of an expression.", (*Session).Complete),
		forPrograms("inspect", "A value with all its elements, for linked views.", (*Session).Inspect),
		forPrograms("link", "Which elements of the operands and the result of an operation belong together.",
			(*Session).Link),
		pageOperation(),
		forPrograms("pictures", "The kinds of pictures.", func(*Session, struct{}) []Picture { return Pictures() }),
		forPrograms("reference", "The functions of the language.",
			func(*Session, struct{}) []FunctionGroup { return Reference() }),
		forPrograms("targets", "The machines whose shared memory is known.",
			func(*Session, struct{}) []Target { return Targets() }),
		forPrograms("tokens", "The tokens of an expression, to colour it.",
			func(s *Session, q TokensRequest) []Token { return s.Tokens(q.Expr) }),
		forPrograms("version", "The version of the program.",
			func(*Session, struct{}) version.Info { return version.Current() }),
	)
}

// forPrograms is the row of an operation that only programs ask for.
func forPrograms[Q, R any](name, doc string, do func(*Session, Q) R) Operation {
	return Operation{Name: name, Doc: doc, Programs: true, do: method[Q, R]{do: do}.caller()}
}

// WideText is the width, in columns, at which texts with tables are wrapped.
const WideText = 80

// wordsOf returns words whose names say what they are.
func wordsOf(names ...string) []Word {
	words := make([]Word, len(names))
	for i, name := range names {
		words[i].Name = name
	}
	return words
}

// TargetWords are the machines.
func TargetWords() []Word {
	var words []Word
	for _, t := range Targets() {
		words = append(words, Word(t))
	}
	return words
}

// NamesOf returns words in prose: "a, b, c".
func NamesOf(words []Word) string {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = w.Name
	}
	return strings.Join(names, ", ")
}

// tableOf lists words with their titles, one a line.
func tableOf(words []Word) string {
	var b strings.Builder
	for _, w := range words {
		fmt.Fprintf(&b, "  %-8s%s\n", w.Name, w.Title)
	}
	return b.String()
}

// accessFlags are the flags of accesses to memory. A missing type or instruction is an error.
func accessFlags(noType, noAccess string) []Flag {
	return []Flag{
		{Field: "type", Usage: "the `TYPE` of an element, such as f16 or float", Missing: noType},
		{Field: "accesses", Name: "access", Usage: "the `INSTRUCTION`; more than one may be given", Missing: noAccess},
		{Field: "threads", Usage: "the `ELEMENTS` of each thread, once or for each access"},
		{Field: "target", Default: DefaultTarget, Usage: "the `MACHINE`"},
	}
}

// threadsHelp explains --threads.
const threadsHelp = `--threads says which elements each thread accesses:

  (none)         one warp; lane t takes the t-th vector in the order of the index,
                 and with ldmatrix and stmatrix the t-th row as it is stored
  rows           lane t is in row t: down mode 0 first, then along mode 1
  cols           lane t is in column t: along mode 1 first, then down mode 0
  LAYOUT         a thread-value layout, (thread,value) -> index of the element,
                 as CuTe's layout_tv: composition(EXPR, LAYOUT) is accessed
  thr T          T maps coordinates to threads, as in local_partition
  thr T val V    the same with V elements each, as in make_tiled_copy

Rows and columns are rows and columns of the layout's shape; vectors are along the
first mode in which enough elements are contiguous.`
