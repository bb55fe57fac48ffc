package vectors

import (
	"encoding/json"
	"fmt"
	"strings"

	"girih/linear"
)

// A linearSection is one kind of row of linear_layout_cases.json.
type linearSection struct {
	name string
	run  func(row linearRow) outcome
}

// linearSections returns the sections in the order of the file.
func linearSections() []linearSection {
	ops := linearOperations
	return []linearSection{
		{"algebra", func(row linearRow) outcome { return runLinearAlgebra(ops, row) }},
		{"encodings", runEncoding},
		{"swizzle", runSwizzle},
		{"bank_conflicts", runBankConflicts},
		{"warp_conversion", runWarpConversion},
		{"convert_class", runConvertClass},
		{"print", runLinearPrint},
		{"padded", runPadded},
		{"cute", runLinearCute},
		{"pycute_f2", runPyCuteF2},
	}
}

// A linearRow is a row of a section: the common fields, and the whole row for the section to decode.
type linearRow struct {
	ID  string          `json:"id"`
	Src json.RawMessage `json:"src"` // the source of the row; in some sections the source layout
	Op  string          `json:"op"`
	raw json.RawMessage
}

// runLinear runs linear_layout_cases.json.
func runLinear(rep *Report, data []byte) error {
	var file map[string]json.RawMessage
	if err := json.Unmarshal(data, &file); err != nil {
		return fmt.Errorf("%s: %w", rep.File, err)
	}
	for _, s := range linearSections() {
		var rows []json.RawMessage
		if len(file[s.name]) > 0 {
			if err := json.Unmarshal(file[s.name], &rows); err != nil {
				return fmt.Errorf("%s: section %s: %w", rep.File, s.name, err)
			}
		}
		for i, raw := range rows {
			row := linearRow{raw: raw}
			if err := json.Unmarshal(raw, &row); err != nil {
				return fmt.Errorf("%s: section %s, row %d: %w", rep.File, s.name, i, err)
			}
			name := s.name
			if row.Op != "" {
				name += " " + row.Op
			}
			rep.add(row.ID, name, s.run(row))
		}
	}
	return nil
}

// decode reads the fields of a row.
func (r linearRow) decode(into any) outcome {
	if err := json.Unmarshal(r.raw, into); err != nil {
		return outcome{verdict: failed, expr: r.ID, got: err.Error(), want: "a row of its section", why: "the row cannot be read"}
	}
	return pass()
}

// mismatch is the outcome of a row whose answer is wrong.
func (r linearRow) mismatch(got, want, why string) outcome {
	return outcome{verdict: failed, expr: r.ID, got: oneLine(got), want: oneLine(want), why: why}
}

// documentedOutcome is the outcome of a row on which girih is right and differs from Triton's answer.
func (r linearRow) documentedOutcome(k kind, got, want string) outcome {
	return outcome{verdict: documented, kind: k, by: "Triton", expr: r.Op, got: oneLine(got), want: oneLine(want)}
}

// oneLine returns a text as a line of at most 160 bytes.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(strings.TrimSpace(text), "\n", "; ")), " ")
	if len(text) > 160 {
		text = strings.ToValidUTF8(text[:157], "") + "..."
	}
	return text
}

// A layoutJSON is a linear layout as in the file: inputs as [name, bases], and outputs as [name, size] or, if the sizes
// are inferred, as names.
type layoutJSON struct {
	In                []pairJSON[[][]int64] `json:"in"`
	Out               []pairJSON[int64]     `json:"out"`
	OutNames          []string              `json:"outNames"`
	RequireSurjective bool                  `json:"requireSurjective"`
	Surjective        *bool                 `json:"surjective"`
	Injective         *bool                 `json:"injective"`
}

// A pairJSON is the JSON list [name, value].
type pairJSON[T any] struct {
	name  string
	value T
}

// UnmarshalJSON reads [name, value].
func (p *pairJSON[T]) UnmarshalJSON(data []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if len(parts) != 2 {
		return fmt.Errorf("expected a name and a value, found %d parts", len(parts))
	}
	if err := json.Unmarshal(parts[0], &p.name); err != nil {
		return err
	}
	return json.Unmarshal(parts[1], &p.value)
}

// layout returns the layout, or girih's refusal.
func (j layoutJSON) layout() (linear.Layout, error) {
	ins := make([]linear.In, len(j.In))
	for i, in := range j.In {
		ins[i] = linear.In{Name: in.name, Bases: in.value}
	}
	if j.OutNames != nil {
		return linear.NewInferred(ins, j.OutNames)
	}
	var opts []linear.Option
	if j.RequireSurjective {
		opts = append(opts, linear.RequireSurjective)
	}
	return linear.New(ins, dimsOf(j.Out), opts...)
}

func dimsOf(pairs []pairJSON[int64]) []linear.Dim {
	dims := make([]linear.Dim, len(pairs))
	for i, p := range pairs {
		dims[i] = linear.Dim{Name: p.name, Size: p.value}
	}
	return dims
}

// matches reports whether l is the recorded layout and has the recorded properties.
func (j layoutJSON) matches(l linear.Layout) bool {
	want, err := j.layout()
	if err != nil || !want.Equal(l) {
		return false
	}
	return (j.Surjective == nil || *j.Surjective == l.IsSurjective()) &&
		(j.Injective == nil || *j.Injective == l.IsInjective())
}

// runLinearPrint runs a row of the section print: one of the four views, as exact text.
func runLinearPrint(row linearRow) outcome {
	var c struct {
		View   string
		Layout layoutJSON
		Want   string
	}
	if o := row.decode(&c); o.verdict != passed {
		return o
	}
	views := map[string]func(linear.Layout) (string, error){
		"distributed.tensor":   linear.DistributedTensorView,
		"distributed.hardware": linear.DistributedHardwareView,
		"shared.tensor":        linear.SharedTensorView,
		"shared.hardware":      linear.SharedHardwareView,
	}
	view, ok := views[c.View]
	if !ok {
		return skip(noFunction)
	}
	l, err := c.Layout.layout()
	got := ""
	if err == nil {
		got, err = view(l)
	}
	if err != nil {
		return row.mismatch(err.Error(), c.Want, "girih refuses")
	}
	if got != c.Want {
		return row.mismatch(got, c.Want, "another text")
	}
	return pass()
}

// isChoice reports whether a row records a decision of an implementation rather than a fact.
func (r linearRow) isChoice() bool {
	src := strings.Trim(string(r.Src), `"`)
	return strings.HasSuffix(src, "-quirk") || strings.HasSuffix(src, "-bug")
}
