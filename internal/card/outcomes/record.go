package outcomes

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// A Record is what was observed of a test: a line of conformance/hardware/h200_litmus.jsonl after the first, which is
// the machine.
type Record struct {
	Test  string `json:"test"`
	Hash  string `json:"hash"`           // of the text of the file, see [Hash]
	Skip  string `json:"skip,omitempty"` // why the kernel cannot run the test
	Forms string `json:"forms,omitempty"`
	Total int64  `json:"total,omitempty"`
	Verdict
}

// Hash returns the beginning of the SHA-256 of a text.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// ReadRecords reads a file of records: machine receives the first line.
func ReadRecords(r io.Reader, machine any) ([]Record, error) {
	dec := json.NewDecoder(r)
	if err := dec.Decode(machine); err != nil {
		return nil, fmt.Errorf("the first line, which says where it was measured: %w", err)
	}
	var list []Record
	for {
		var rec Record
		switch err := dec.Decode(&rec); {
		case err == io.EOF:
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("record %d: %w", len(list)+1, err)
		}
		list = append(list, rec)
	}
}
