package sim

// This file grades findings about the order of accesses.

// A Grade says how certain it is that a kernel with a finding is wrong on a GPU.
type Grade string

// The grades.
const (
	// GradeRace is the grade of faults, and of accesses that nothing orders.
	GradeRace Grade = ""
	// GradeSame is the grade of a race in which an access stores the value that is already there. With other inputs, or
	// a small change of the code, it would be a fault.
	GradeSame Grade = "same value"
	// GradeStrict is the grade of a race according to the PTX ISA that known hardware avoids by ordering the accesses,
	// or that common code relies on; see Launch.Strict.
	GradeStrict Grade = "strict"
	// GradeBranch is the grade of a branch that depends on unwritten bytes, such as the rows of a tile beyond the end
	// of a matrix. It does no harm if the results of both ways are discarded. A run that continues takes the way that
	// the present bits select.
	GradeBranch Grade = "branch"
)

// maxLesser limits the findings of a lesser grade that a run keeps.
const maxLesser = 1 << 8

// A lesser collects the findings of a run that do not end it.
type lesser struct {
	sites map[siteCause]*Finding
	list  []*Finding
}

// checkAs calls check, which may note a conflict, and gives its finding the grade x. The run continues, unless it is
// strict.
func (w *warp) checkAs(x Grade, other uint32, check func()) bool {
	g := w.block.grid
	if g.strict {
		w.grade = x
		check()
		w.grade = GradeRace
		return w.goesOn()
	}
	s := siteCause{KindRace, w.site(), other &^ 31}
	f := g.lesser.sites[s]
	if f == nil && len(g.lesser.list) < maxLesser {
		t := g.tally
		g.tally = nil
		check()
		g.tally = t
		if f, w.fault = w.fault, nil; f == nil {
			return true
		}
		f.Grade = x
		g.lesser.keep(s, f)
	}
	if f != nil {
		f.count(w)
	}
	return true
}

// keep adds a finding to the list, and remembers it as the finding of its instruction and cause.
func (l *lesser) keep(s siteCause, f *Finding) {
	if l.sites == nil {
		l.sites = map[siteCause]*Finding{}
	}
	l.sites[s] = f
	l.list = append(l.list, f)
}

// branches reports whether the finding that was just noted says that a branch depends on a missing value. If so, it
// keeps the finding with the grade GradeBranch, and a strict run counts it as a finding.
func (w *warp) branches() bool {
	f, l := w.fault, &w.block.grid.lesser
	if in := w.instr(); !w.lack.pred || in.src == nil || in.src.Op.Name() != "bra" {
		return false
	}
	if f.Grade = GradeBranch; w.block.grid.strict {
		return w.goesOn()
	}
	w.fault = nil
	s := siteCause{f.Kind, w.site(), 0}
	if known := l.sites[s]; known != nil {
		f = known
	} else if len(l.list) < maxLesser {
		l.keep(s, f)
	}
	f.count(w)
	return true
}

// Strictly returns the findings of a strict run, with grades, that are not among the findings of a usual run.
func Strictly(strict, usual []*Finding) []*Finding {
	known := map[cause]bool{}
	for _, f := range usual {
		known[f.because()] = true
	}
	var list []*Finding
	for _, f := range strict {
		if known[f.because()] {
			continue
		}
		if f.Grade == GradeRace {
			f.Grade = GradeStrict
		}
		list = append(list, f)
	}
	return list
}
