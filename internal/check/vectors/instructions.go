package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	cards "girih/internal/card/truth"
	"girih/tensormap"
)

// This file checks girih against the results of a card and its driver: the tables of instructions and the layouts that
// descriptors describe (h200_instructions.jsonl, h200_descriptors.jsonl), and tensor maps with the boxes that the maps
// copy (h200_tensormaps.jsonl).

// runCards runs a file of a header and one JSON object per line.
func runCards(rep *Report, data []byte) error {
	c := comparer{atoms: map[string]cards.Atom{}}
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row struct {
			cards.Header
			cards.Record
			Rule string         `json:"rule"`
			Map  *cards.MapCase `json:"map"`
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("%s:%d: %w", rep.File, n+1, err)
		}
		at := fmt.Sprintf("%s:%d", rep.File, n+1)
		switch {
		case row.Device != "":
			c = comparer{chip: row.Chip, atoms: map[string]cards.Atom{}}
		case row.Rule != "":
			var m cards.MapCase
			if err := json.Unmarshal(line, &m); err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
			rep.add(at, "tensor maps", mapRow(&m))
		case row.Map != nil:
			var b cards.BoxCase
			if err := json.Unmarshal(line, &b); err != nil {
				return fmt.Errorf("%s: %w", at, err)
			}
			rep.add(at, "boxes", c.boxRow(&b))
		default:
			rep.add(at, row.Family, c.instructionRow(row.Record))
		}
	}
	return nil
}

// A comparer holds girih's side of the comparisons.
type comparer struct {
	chip   string
	atoms  map[string]cards.Atom // by name and operand
	kinds  [2]bool               // whether atoms contains cards.Atoms, cards.Descriptors
	source []byte                // the memory that boxes copy
}

// atom returns the instruction of a row.
func (c *comparer) atom(row cards.Record) (cards.Atom, bool) {
	list, kind := cards.Atoms, 0
	if row.Operand != "" {
		list, kind = cards.Descriptors, 1
	}
	if !c.kinds[kind] {
		c.kinds[kind] = true
		for _, a := range list(c.chip) {
			c.atoms[a.Name+" "+a.Operand] = a
		}
	}
	a, ok := c.atoms[row.Atom+" "+row.Operand]
	return a, ok
}

// instructionRow compares the digest of the tables that a card showed with the digest of girih's tables.
func (c *comparer) instructionRow(row cards.Record) outcome {
	o := outcome{verdict: failed, expr: row.Atom, want: row.Digest, why: "the tables are not those that the card showed"}
	a, ok := c.atom(row)
	switch {
	case !ok:
		o.got, o.want, o.why = "no such instruction", "an instruction", "girih does not know it"
		return o
	case row.Status == cards.Untried:
		return skip("not tried on a card")
	case row.Status != cards.Proven:
		o.got, o.want, o.why = row.Reason, cards.Proven, "the card says otherwise"
		return o
	}
	digest, err := a.Tables()
	if o.got = digest; err != nil {
		o.got = err.Error()
	}
	if digest == row.Digest {
		return pass()
	}
	return o
}

// mapRow checks that girih finds a map legal if and only if the driver accepts the map. girih follows the
// documentation; where the driver departs from the documentation, the map must have a remark that says so.
func mapRow(c *cards.MapCase) outcome {
	m, err := c.Map(1 << 32) // an address of the card that satisfies the alignment of every rule
	if err != nil {
		return outcome{verdict: failed, expr: c.Rule, got: err.Error(), want: "a map", why: "girih cannot read it"}
	}
	broken := m.Check()
	o := outcome{verdict: documented, kind: driverDeparts, expr: c.Rule, got: "legal", want: "refused", by: "the driver"}
	switch {
	case (len(broken) == 0) == c.Accepted:
		return pass()
	case c.Accepted:
		o.got, o.want = broken[0].Text, "accepted"
		if tolerated[broken[0].Rule] {
			return o
		}
	default:
		for _, r := range m.Remarks() {
			if r.Fatal || strings.Contains(r.Text, "needs compute capability 10.0") {
				o.got = "legal, with the remark: " + r.Text
				return o
			}
		}
	}
	o.verdict, o.why = failed, "the driver says otherwise and girih has no word on it: "+m.String()
	return o
}

// tolerated lists the rules of the documentation that the driver does not enforce.
var tolerated = map[tensormap.Rule]bool{tensormap.RuleSwizzleInterleave: true}

// boxRow compares the bytes that a box left in shared memory with the places where girih puts each element.
func (c *comparer) boxRow(b *cards.BoxCase) outcome {
	if c.source == nil {
		c.source = cards.Source()
	}
	if why := b.Differs(c.source); why != "" {
		return outcome{verdict: failed, expr: fmt.Sprintf("%+v", *b), got: why, want: b.Digest, why: "the card has other bytes"}
	}
	return pass()
}
