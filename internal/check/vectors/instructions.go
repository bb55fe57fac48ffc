package vectors

import (
	"bytes"
	"encoding/json"
	"fmt"

	cards "girih/internal/truth"
)

// This file runs h200_instructions.jsonl: the tables of instructions as a card showed them.

// runInstructions runs a header and one JSON object a line.
func runInstructions(rep *Report, data []byte) error {
	atoms := map[string]cards.Atom{}
	for n, line := range bytes.Split(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row struct {
			cards.Header
			cards.Record
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return fmt.Errorf("%s:%d: %w", rep.File, n+1, err)
		}
		if row.Device != "" {
			clear(atoms)
			for _, a := range cards.Atoms(row.Chip) {
				atoms[a.Name] = a
			}
			continue
		}
		rep.add(fmt.Sprintf("%s:%d", rep.File, n+1), row.Family, instructionRow(atoms, row.Record))
	}
	return nil
}

// instructionRow compares the digest of the tables that a card showed with that of girih's.
func instructionRow(atoms map[string]cards.Atom, row cards.Record) outcome {
	o := outcome{verdict: failed, expr: row.Atom, want: row.Digest, why: "the tables are not those that the card showed"}
	a, ok := atoms[row.Atom]
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
