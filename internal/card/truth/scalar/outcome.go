package scalar

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"slices"
	"strings"

	"girih/ptx"
)

// tolerance is the largest allowed ratio of a card's error to the ISA's bound, which is rounded to few digits:
// cos.approx and tanh.approx.bf16 of an H100 exceed it slightly.
const tolerance = 1.05

// maxDifferences limits the differences that are kept for each form and shard.
const maxDifferences = 24

// A Difference is a result of a card that differs from the simulator's or is not allowed by the ISA.
type Difference struct {
	Form    string   `json:"form"`
	Text    string   `json:"text"`           // the instruction
	Lane    int      `json:"lane"`           // the lane in the warp
	From    []string `json:"from,omitempty"` // the forms that computed the sources
	Sources []string `json:"sources"`        // the codes of the sources; of all lanes if lanes cooperate
	Card    string   `json:"card"`
	Other   string   `json:"simulator"`
	Why     string   `json:"why,omitempty"` // the reason, for an approximate result
}

// A finding is the result of a shard for a form.
type finding struct {
	instances   int
	differences int
	hash        hash.Hash
	worst, own  float64 // the errors of the card and of the simulator
	ratio       float64 // the ratio of the card's error to the bound of the ISA
	first       []Difference
}

// An Outcome is the result of a shard.
type Outcome struct {
	shard    *Shard
	findings map[*Form]*finding
}

// Compare compares the results of a card with the simulator's. Steps that the simulator cannot compute only count as
// instances; missing kernels do not count.
func (s *Shard) Compare(card, simulated []uint64, supports func(*Form) bool, missing map[string]bool) *Outcome {
	o := &Outcome{s, map[*Form]*finding{}}
	for _, k := range s.kernels {
		if missing[k.name] {
			continue
		}
		known := k.simulatedValues(supports)
		for i := range k.programs {
			for j := range k.programs[i].steps {
				steps := k.programs[i].steps[:j+1]
				first := j
				for first > 0 && steps[first].form.flags.carry&readsCarry != 0 {
					first--
				}
				c := comparison{
					shard: s, kernel: k, step: &steps[j], before: steps[first:j], card: card, simulated: simulated,
				}
				o.step(&c, known)
			}
		}
	}
	return o
}

// simulatedValues returns which values the simulator has.
func (k *kernel) simulatedValues(supports func(*Form) bool) []bool {
	e := &emission{Builder: ptx.NewKernel("k"), k: k, names: make([]ptx.Name, len(k.values)), supports: supports}
	for i := range k.programs {
		e.program(&k.programs[i])
	}
	known := make([]bool, len(k.values))
	for i, n := range e.names {
		known[i] = n != "" || k.values[i].input
	}
	return known
}

// A comparison compares the results of one step.
type comparison struct {
	shard           *Shard
	kernel          *kernel
	step            *step
	before          []step // the steps that wrote the flag which this step reads
	card, simulated []uint64
}

// step adds the results of one step to the findings. Steps after a difference differ because of it: they are not
// compared.
func (o *Outcome) step(c *comparison, known []bool) {
	f := c.step.form
	x := o.findings[f]
	if x == nil {
		x = &finding{hash: sha256.New()}
		o.findings[f] = x
	}
	x.instances += Lanes
	if !f.flags.approx {
		x.digest(c)
	}
	switch {
	case !c.comparable(known):
	case f.flags.approx:
		x.approximate(c)
	default:
		x.exact(c)
	}
}

// digest adds the card's results to the hash.
func (x *finding) digest(c *comparison) {
	var word [8]byte
	for _, v := range c.step.results() {
		for lane := range Lanes {
			binary.LittleEndian.PutUint64(word[:], c.card[c.kernel.values[v].slot*Lanes+lane])
			x.hash.Write(word[:])
		}
	}
}

// comparable reports whether the simulator knows all values, and the card and the simulator have the same sources.
func (c *comparison) comparable(known []bool) bool {
	sources := c.step.sources()
	for i := range c.before {
		sources = append(sources, c.before[i].sources()...)
	}
	for _, v := range sources {
		if !known[v] || !c.agrees(v) {
			return false
		}
	}
	return !slices.ContainsFunc(c.step.results(), func(v int) bool { return !known[v] })
}

// exact compares results bit by bit.
func (x *finding) exact(c *comparison) {
	for _, v := range c.step.results() {
		for lane := range Lanes {
			at := c.kernel.values[v].slot*Lanes + lane
			if c.card[at] != c.simulated[at] {
				x.differ(c, Difference{Lane: lane, Card: code(c.card[at]), Other: code(c.simulated[at])})
			}
		}
	}
}

// agrees reports whether the card and the simulator have the same value in all lanes.
func (c *comparison) agrees(v int) bool {
	x := c.kernel.values[v]
	if x.input {
		return true
	}
	for lane := range Lanes {
		if c.card[x.slot*Lanes+lane] != c.simulated[x.slot*Lanes+lane] {
			return false
		}
	}
	return true
}

func code(v uint64) string { return fmt.Sprintf("%x", v) }

// source returns the value of an operand in a lane.
func (c *comparison) source(o operand, lane int) uint64 {
	if o.value < 0 {
		switch x := o.fixed.(type) {
		case ptx.Int:
			return uint64(x)
		case ptx.Bits32:
			return uint64(x)
		case ptx.Bits64:
			return uint64(x)
		}
		return 0
	}
	x := c.kernel.values[o.value]
	if x.input {
		return c.shard.in[x.slot*Lanes+lane]
	}
	return c.card[x.slot*Lanes+lane]
}

// differ records a difference.
func (x *finding) differ(c *comparison, d Difference) {
	x.differences++
	if len(x.first) >= maxDifferences {
		return
	}
	f := c.step.form
	d.Form = f.Name()
	d.Text = c.text()
	from, to := d.Lane, d.Lane+1
	if f.flags.sync {
		from, to = 0, Lanes
	}
	for _, o := range c.step.src {
		list := o.list
		if list == nil {
			list = []operand{o}
		}
		for _, e := range list {
			var all []string
			for lane := from; lane < to; lane++ {
				all = append(all, code(c.source(e, lane)))
			}
			d.Sources = append(d.Sources, strings.Join(all, " "))
		}
	}
	for _, v := range c.step.sources() {
		if x := c.kernel.values[v]; !x.input {
			d.From = append(d.From, c.shard.outs[x.slot].form.Name())
		}
	}
	x.first = append(x.first, d)
}

// text returns the instruction with names for its operands, for readers of a difference.
func (c *comparison) text() string {
	next := 0
	var name func(o operand) string
	name = func(o operand) string {
		if o.list != nil {
			var all []string
			for _, e := range o.list {
				all = append(all, name(e))
			}
			return "{" + strings.Join(all, ",") + "}"
		}
		if o.fixed != nil {
			return o.fixed.String()
		}
		next++
		text := string(rune('a'+next-1)) + o.part
		if o.value >= 0 && c.kernel.values[o.value].bits > 1 {
			text += fmt.Sprintf(":%d", c.kernel.values[o.value].bits)
		}
		if o.mark != 0 {
			text = string(o.mark) + text
		}
		return text
	}
	var all []string
	for _, o := range append(c.step.dst[:len(c.step.dst):len(c.step.dst)], c.step.src...) {
		all = append(all, name(o))
	}
	text := string(c.step.form.Op) + " " + strings.Join(all, ", ")
	if c.step.guard >= 0 {
		text = "@p " + text
	}
	return text
}

// approximate compares the elements of an approximate result with the ISA, both the card's and the simulator's.
func (x *finding) approximate(c *comparison) {
	f := c.step.form
	_, n := f.approximation()
	at := c.kernel.values[c.step.dst[0].value].slot * Lanes
	width := f.src[0].bits() / n
	for lane := range Lanes {
		a := c.source(c.step.src[0], lane)
		b := uint64(0)
		if len(c.step.src) > 1 {
			b = c.source(c.step.src[1], lane)
		}
		for i := range n {
			part := func(v uint64) uint64 { return v >> (i * width) & ones(width) }
			card, own := part(c.card[at+lane]), part(c.simulated[at+lane])
			v, w := f.judge(part(a), part(b), card), f.judge(part(a), part(b), own)
			if v.free {
				continue
			}
			if v.fixed {
				if card != v.want || own != v.want {
					x.differ(c, Difference{Lane: lane, Card: code(card), Other: code(own), Why: "expected " + code(v.want)})
				}
				continue
			}
			x.worst, x.own, x.ratio = max(x.worst, v.err), max(x.own, w.err), max(x.ratio, v.ratio)
			if v.ratio > tolerance || w.ratio > 1 || math.IsInf(v.err, 0) || math.IsInf(w.err, 0) {
				why := fmt.Sprintf("errors %g and %g, %g and %g of the bound", v.err, w.err, v.ratio, w.ratio)
				x.differ(c, Difference{Lane: lane, Card: code(card), Other: code(own), Why: why})
			}
		}
	}
}

// A Record is the result of one form: a line of a file.
type Record struct {
	Form      string  `json:"form"`
	Family    string  `json:"family"`
	Status    string  `json:"status"`
	Instances int     `json:"instances,omitempty"` // how many lanes have executed the form
	Digest    string  `json:"digest,omitempty"`    // the digest of all results
	Sample    string  `json:"sample,omitempty"`    // a sample of the results of the first shard
	Unit      string  `json:"unit,omitempty"`      // the unit of the error, for an approximate result
	Worst     float64 `json:"worst,omitempty"`     // the largest error of the card
	Ratio     float64 `json:"ratio,omitempty"`     // the largest ratio of the error to the bound of the ISA
	Own       float64 `json:"own,omitempty"`       // the largest error of the simulator
	Reason    string  `json:"reason,omitempty"`
}

// Records returns a line for each form of list, and the differences. Outcomes are in the order of the shards.
func Records(list []*Form, outcomes []*Outcome) ([]Record, []Difference) {
	var records []Record
	var differences []Difference
	for _, f := range list {
		r := Record{Form: f.Name(), Family: f.Family, Status: "proven"}
		sum := sha256.New()
		n := 0
		for _, o := range outcomes {
			x := o.findings[f]
			if x == nil {
				continue
			}
			r.Instances += x.instances
			n += x.differences
			differences = append(differences, x.first...)
			h := x.hash.Sum(nil)
			sum.Write(h)
			if o.shard.Number == 0 && !f.flags.approx {
				r.Sample = hex.EncodeToString(h[:6])
			}
			r.Worst, r.Ratio, r.Own = max(r.Worst, x.worst), max(r.Ratio, x.ratio), max(r.Own, x.own)
		}
		if f.flags.approx {
			a, _ := f.approximation()
			r.Unit = a.unit
		} else {
			r.Digest = hex.EncodeToString(sum.Sum(nil)[:12])
		}
		if n > 0 {
			r.Status, r.Reason = "differs", fmt.Sprintf("%d results", n)
		}
		records = append(records, r)
	}
	return records, differences
}
