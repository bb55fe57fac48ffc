package outcomes

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Record is what was observed of a test: a line of conformance/hardware/h200_litmus.jsonl after the first, which is
// the machine.
type Record struct {
	Test  string `json:"test"`
	Hash  string `json:"hash"`           // the hash of the text of the file, see [Hash]
	Skip  string `json:"skip,omitempty"` // the reason why the kernel cannot run the test
	Forms string `json:"forms,omitempty"`
	Total int64  `json:"total,omitempty"`
	Verdict
}

// Hash returns the beginning of the SHA-256 of a text.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
