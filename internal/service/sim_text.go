//go:build !js || kernels

package service

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"girih/internal/machine/runfile"
	"girih/ptx/sim"
)

// simRows is how many lines of a kernel the table of counts has.
const simRows = 24

// Text returns what a run did as a person reads it.
func (r SimResponse) Text() string {
	if r.Skeleton != "" {
		return r.Skeleton
	}
	if r.Needless != nil {
		return r.needlessText()
	}
	var b strings.Builder
	for i, f := range r.Findings {
		if i > 0 {
			b.WriteByte('\n')
		}
		f.write(&b)
	}
	r.writeEnd(&b)
	r.writeLesser(&b)
	for _, w := range r.Wrong {
		b.WriteString(wrongText(w) + "\n")
	}
	for _, d := range r.Depends {
		b.WriteString(dependsText(d, r.Seed) + "\n")
	}
	r.writeSummary(&b)
	if r.Output != "" {
		fmt.Fprintf(&b, "it prints:\n%s", r.Output)
		if !strings.HasSuffix(r.Output, "\n") {
			b.WriteByte('\n')
		}
	}
	if !r.checks {
		b.WriteByte('\n')
		r.writeCounts(&b)
	}
	return b.String()
}

// writeSummary says whether anything is wrong, and in how many orders.
func (r *SimResponse) writeSummary(b *strings.Builder) {
	orders, nothing := "", "nothing"
	if len(r.Ignored)+len(r.Lesser) > 0 {
		nothing = "nothing else"
	}
	switch {
	case r.Whole && r.Seeds > 1:
		orders = fmt.Sprintf(", in all %d orders", r.Seeds)
	case r.Whole:
		orders = ", in the only order"
	case r.Seeds > 1:
		orders = fmt.Sprintf(", in %d orders", r.Seeds)
	}
	switch {
	case r.Seed > 0 && !r.OK:
		fmt.Fprintf(b, "in order %d, after %s without\n", r.Seed, plural(int(r.Seed), "order"))
	case r.OK && r.Compared > 0:
		fmt.Fprintf(b, "%s found, and %s%s\n", nothing, r.rightOutputs(), orders)
	case r.OK:
		fmt.Fprintf(b, "%s found%s; no output was compared\n", nothing, orders)
	}
	if r.Bound != "" {
		b.WriteString("not all orders were tried: " + r.Bound + "\n")
	}
}

// rightOutputs says that all outputs are right.
func (r *SimResponse) rightOutputs() string {
	if r.Compared > 1 {
		return plural(r.Compared, "output") + " as they have to be"
	}
	return plural(r.Compared, "output") + " as it has to be"
}

// writeEnd says how a run ended that could go on after findings, and which findings the run ignored.
func (r *SimResponse) writeEnd(b *strings.Builder) {
	if n := len(r.Findings); n > 0 && r.goesOn {
		fmt.Fprintf(b, "\n%s", plural(n, "finding"))
		if r.More > 0 {
			fmt.Fprintf(b, ", and %d more that --continue %d reports", r.More, n+r.More)
		}
		switch last := r.Last; {
		case r.Ended && r.Compared > 0 && len(r.Wrong) == 0:
			fmt.Fprintf(b, "; the kernel ran to its end, with %s\n", r.rightOutputs())
		case r.Ended:
			b.WriteString("; the kernel ran to its end\n")
		case r.More > 0 && last != nil:
			fmt.Fprintf(b, "; the run ended with %s at line %d, since %s\n", last.Kind, last.Line,
				cmp.Or(last.Ends, "there are too many findings"))
		case r.Findings[n-1].Ends != "":
			b.WriteString("; the run ended with the last of them\n")
		default:
			b.WriteString("; the run ended with the last of them, and --continue goes on\n")
		}
	}
	if len(r.Ignored) == 0 {
		return
	}
	var list []string
	times := int64(0)
	for _, f := range r.Ignored {
		list = append(list, fmt.Sprintf("%s at line %d (%d)", f.Kind, f.Line, f.Count))
		times += f.Count
	}
	if len(list) > simRows {
		list = append(list[:simRows], fmt.Sprintf("%d more", len(list)-simRows))
	}
	fmt.Fprintf(b, "passed over %s, found %s: %s\n", plural(len(r.Ignored), "finding"), plural(int(times), "time"),
		strings.Join(list, ", "))
}

// writeLesser writes the findings of lesser grades.
func (r *SimResponse) writeLesser(b *strings.Builder) {
	for i, f := range r.Lesser {
		if i > 0 || len(r.Findings) > 0 {
			b.WriteByte('\n')
		}
		f.write(b)
	}
	if n := len(r.Lesser); n > 0 {
		fmt.Fprintf(b, "\n%s of a lesser grade, which girih check --strict counts\n", plural(n, "finding"))
	}
}

// write writes a finding: what and where, the line, and the numbers.
func (f SimFinding) write(b *strings.Builder) {
	b.WriteString(f.Kind)
	if slices.Contains([]sim.Grade{sim.GradeSame, sim.GradeStrict, sim.GradeBranch}, sim.Grade(f.Grade)) {
		b.WriteString(", " + f.Grade)
	}
	fmt.Fprintf(b, ": line %d, block %s thread %s", f.Line, pointText(f.Block), pointText(f.Thread))
	if f.Address != "" {
		fmt.Fprintf(b, ", address %s", f.Address)
	}
	if f.Count > 1 {
		fmt.Fprintf(b, ", %d times", f.Count)
	}
	b.WriteByte('\n')
	if f.Source != "" {
		fmt.Fprintf(b, "  from %s\n", f.Source)
	}
	fmt.Fprintf(b, "  %6d | %s\n", f.Line, f.Text)
	for line := range strings.Lines(f.Message) {
		fmt.Fprintf(b, "  %s\n", strings.TrimRight(line, "\n"))
	}
	if f.Beside != "" && f.Other != f.Line {
		fmt.Fprintf(b, "  %6d | %s\n", f.Other, f.Beside)
	}
	if f.Ends != "" {
		fmt.Fprintf(b, "  the run ends here, since %s\n", f.Ends)
	}
}

func pointText(p []int) string { return fmt.Sprintf("(%d,%d,%d)", p[0], p[1], p[2]) }

// wrongText says what is wrong with an output.
func wrongText(d runfile.Difference) string {
	what, want := d.Got, ", want "+d.Want
	if d.Got == "" {
		what = "unwritten bytes"
	}
	if d.Kept {
		want = ", and it is no output: it had to stay " + cmp.Or(d.Want, "unwritten")
	}
	s := fmt.Sprintf("%s: %d of %d elements of type %s are wrong, the first is %s[%d]: got %s%s",
		d.Buffer, d.Wrong, d.Elements, d.Type, d.Buffer, d.First, what, want)
	if d.Within != "" {
		s += ", " + d.Within
	}
	return s
}

// dependsText says how an output depends on the order.
func dependsText(d runfile.Difference, order uint64) string {
	return fmt.Sprintf("%s depends on the order: %d of %d elements of type %s differ, the first is %s[%d]: %s in the first order, %s in order %d",
		d.Buffer, d.Wrong, d.Elements, d.Type, d.Buffer, d.First, d.Want, d.Got, order)
}

// A simColumn is a column of the table of counts.
type simColumn struct {
	name string
	of   func(t SimTraffic) int64
}

var simColumns = []simColumn{
	{"sectors", func(t SimTraffic) int64 { return t.Sectors }},
	{"wavefronts", func(t SimTraffic) int64 { return t.Wavefronts }},
	{"conflicts", func(t SimTraffic) int64 { return t.Conflicts }},
	{"remote", func(t SimTraffic) int64 { return t.Remote }},
	{"bulk bytes", func(t SimTraffic) int64 { return t.Bulk }},
	{"unknown", func(t SimTraffic) int64 { return t.Unknown }},
}

// writeCounts writes the sums, and those lines of the kernel that move the most data.
func (r *SimResponse) writeCounts(b *strings.Builder) {
	fmt.Fprintf(b, "%s of warps, %d of threads", plural(int(r.Instructions), "instruction"), r.Lanes)
	if r.Traffic.Accesses > 0 {
		fmt.Fprintf(b, "; %d access memory", r.Traffic.Accesses)
	}
	b.WriteByte('\n')
	columns := slices.DeleteFunc(slices.Clone(simColumns), func(c simColumn) bool { return c.of(r.Traffic) == 0 })
	if len(columns) == 0 {
		return
	}
	lines := slices.DeleteFunc(slices.Clone(r.Lines), func(l SimLine) bool { return l.Traffic == SimTraffic{} })
	weight := func(l SimLine) int64 {
		t := l.Traffic
		return 4*t.Wavefronts + t.Sectors + t.Remote + t.Bulk/32 + t.Unknown
	}
	total := len(lines)
	if total > simRows {
		sort.SliceStable(lines, func(i, j int) bool { return weight(lines[j]) < weight(lines[i]) })
		lines = lines[:simRows]
		sort.SliceStable(lines, func(i, j int) bool { return lines[i].Line < lines[j].Line })
	}
	rows := [][]string{{"line", "instruction", "source", "warps"}}
	all := []string{"all", "", "", ""}
	sourced := slices.ContainsFunc(lines, func(l SimLine) bool { return l.Source != "" })
	for _, c := range columns {
		rows[0] = append(rows[0], c.name)
		all = append(all, fmt.Sprint(c.of(r.Traffic)))
	}
	for _, l := range lines {
		row := []string{fmt.Sprint(l.Line), shortOp(l.Op), whereInlined(l.Source), fmt.Sprint(l.Warps)}
		for _, c := range columns {
			row = append(row, orDash(c.of(l.Traffic)))
		}
		rows = append(rows, row)
	}
	numbers := 3
	if rows = append(rows, all); !sourced {
		numbers = 2
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 2, 3)
		}
	}
	textTable{Rows: rows, Gap: "  ", Numbers: numbers}.write(b)
	if total > len(lines) {
		fmt.Fprintf(b, "the %d of %d lines that move the most\n", len(lines), total)
	}
}

// shortOp returns an opcode that fits a column.
func shortOp(op string) string {
	const most = 32
	if len(op) > most {
		return op[:most-3] + "..."
	}
	return op
}

// whereInlined returns the last place in a source: where a line was inlined.
func whereInlined(source string) string {
	if i := strings.LastIndex(source, " "); i >= 0 {
		return source[i+1:]
	}
	return cmp.Or(source, "-")
}
