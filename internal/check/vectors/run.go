package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrUnknownFormat is returned for a file in none of the formats of the conformance vectors.
var ErrUnknownFormat = errors.New("not a format of the conformance vectors")

// ErrNotRun is returned for a file in a known format whose rows girih cannot run yet.
var ErrNotRun = errors.New("this format is not run yet")

// A format is one kind of file: how to recognize its rows, and how to run them.
type format struct {
	name    string
	content string                               // the subject of the rows
	head    string                               // the line of column names, or the keys of the first JSON object
	run     func(rep *Report, data []byte) error // nil if the rows cannot be run yet
}

// formats returns the known formats. A format is recognized by content, never by the name of the file.
func formats() []format {
	return []format{
		{"algebra", "random cases of the layout algebra, one JSON object a line", "op args", runAlgebra},
		{"seed_cases", "statements of introductory texts, a JSON array", "seed_file true_output", runSeeds},
		{"user_cases", "questions of users, a JSON array", "id operation expected_answer", runUsers},
		{"bug_cases", "inputs that break other tools, a JSON array", "id operation actual expected", runBugs},
		{"cpp_unit", "results of CuTe's C++ unit tests, columns", "op\tA\tB\tresult", runUnit},
		{"cute_ir_ok", "operations of the CuTe dialect with results, columns", "file\tcase\top\tattrs\tinputs\toutputs", runDialect},
		{"cute_ir_err", "operations that the CuTe dialect refuses, columns", "file\tcase\top\tattrs\tinputs", runDialectErrors},
		{"print_layout", "layouts and their grids, as print_layout writes them", "", runGrids},
		{"notations", "spellings of layouts, a JSON array", "id text canonical", runNotations},
		{"linear_layout_cases", "facts about linear layouts, a JSON object", "meta", runLinear},
		{"h200_shared_memory", "shared-memory accesses measured on an H200, one JSON object a line", "op addr wavefronts", runShared},
		{"scalar", "instructions on registers on a card, run by go test ./internal/card/truth/scalar", "device chip driver programs", nil},
		{"h200_instructions", "what an H200 showed of instructions, descriptors and tensor maps, one JSON object a line", "device chip driver cuda", runCards},
		{"litmus", "litmus tests on a card, run by go test ./internal/card/outcomes", "device chip driver litmus", nil},
		{"h200_memory", "accesses to memory measured on a card, its name first, one JSON object a line", "device chip driver date", runMemory},
		{"mma_atoms", "MMA instructions and their layouts, columns", "op\tShape_MNK\tThrID\tALayout_TV\tBLayout_TV\tCLayout_TV\tbitsABCD", runAtoms},
		{"copy_atoms", "copy instructions and their layouts, columns", "op\tThrID\tSrcLayout_bits\tDstLayout_bits\tRefLayout_bits", runCopies},
		{"cpp_golden", "atoms, tiled operations and partitions printed by CuTe C++", "", runGolden},
		{"tiled_mma_copy", "per-thread partitions of tiled operations", "", runTiled},
		{"print_tensor", "tensors as print_tensor writes them", "", runTensors},
		{"peers", "what the suites of other implementations expect, one JSON object a line", "source expression expected", runPeers},
		{"print_misc", "one printed value a line", "", nil},
		{"encodings", "tensor maps as a driver encodes them, run by go test ./tensormap", "device chip driver encodings", nil},
	}
}

// Run runs the rows of one file of conformance vectors and reports the verdict on each row. It recognizes the format of
// the file from its content. name is the name of the file in the report.
//
// It returns an error that wraps [ErrUnknownFormat] and lists the known formats, or [ErrNotRun], or an error that says
// how a row violates the format. A row that girih fails is not an error: it is in the report.
func Run(name string, r io.Reader) (*Report, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	f, err := formatOf(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if f.run == nil {
		return nil, fmt.Errorf("%s: %s (%s): %w", name, f.name, f.content, ErrNotRun)
	}
	rep := &Report{
		File: name, Format: f.name, Ops: []OpCount{},
		Failures: []Failure{}, Differences: []Difference{}, Skips: []Skip{},
	}
	if err := f.run(rep, data); err != nil {
		return nil, err
	}
	rep.sortDifferences()
	return rep, nil
}

// formatOf returns the format of a file.
func formatOf(data []byte) (format, error) {
	name := ""
	first, rest, _ := strings.Cut(string(bytes.TrimLeft(data, " \t\n")), "\n")
	switch {
	case strings.HasPrefix(first, "{"), strings.HasPrefix(first, "["):
		return formatOfJSON(data)
	case strings.HasPrefix(first, "MMA|"), strings.HasPrefix(first, "COPY|"), strings.HasPrefix(first, "TMMA|"),
		strings.HasPrefix(first, "PART|"),
		strings.HasPrefix(first, "TCOPY|"), strings.HasPrefix(first, "CPART|"):
		name = "cpp_golden"
	case strings.HasPrefix(first, "### "):
		name = "tiled_mma_copy"
	case isGrid(first, rest):
		name = "print_layout"
	case strings.HasSuffix(first, ":") && strings.Contains(first, " o "):
		name = "print_tensor"
	case strings.Contains(string(data), "ArithTuple(") || strings.Contains(string(data), "counting_iter("):
		name = "print_misc"
	}
	for _, f := range formats() {
		if f.name == name || strings.Contains(f.head, "\t") && strings.TrimRight(first, " ") == f.head {
			return f, nil
		}
	}
	return format{}, unknownFormat()
}

// formatOfJSON returns the format of a JSON file, by the keys of its first object.
func formatOfJSON(data []byte) (format, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	var first json.RawMessage
	if err := dec.Decode(&first); err != nil {
		return format{}, err
	}
	var rows []json.RawMessage
	if json.Unmarshal(first, &rows) == nil {
		if len(rows) == 0 {
			return format{}, unknownFormat()
		}
		first = rows[0]
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(first, &keys); err != nil {
		return format{}, unknownFormat()
	}
	for _, f := range formats() {
		if hasKeys(keys, f.head) {
			return f, nil
		}
	}
	return format{}, unknownFormat()
}

func hasKeys(keys map[string]json.RawMessage, names string) bool {
	if names == "" || strings.Contains(names, "\t") {
		return false
	}
	for name := range strings.FieldsSeq(names) {
		if _, ok := keys[name]; !ok {
			return false
		}
	}
	return true
}

// unknownFormat returns an error that lists the formats.
func unknownFormat() error {
	var b strings.Builder
	for _, f := range formats() {
		run := ""
		if f.run == nil {
			run = " (not run yet)"
		}
		fmt.Fprintf(&b, "\n  %-19s  %s%s", f.name, f.content, run)
	}
	return fmt.Errorf("%w; the formats are%s", ErrUnknownFormat, b.String())
}
