package document

import (
	_ "embed"
	"strings"
	"sync"

	"girih/internal/packed"
)

// packedSeeds has the documents of seeds/ in gzip, each with a zero byte after it.
//
//go:generate go run girih/internal/cmd/release seeds .
//go:embed seeds.gz
var packedSeeds []byte

var seeds = sync.OnceValue(func() []string {
	return strings.Split(strings.TrimSuffix(string(packed.Bytes(packedSeeds)), "\x00"), "\x00")
})

// Seed returns one of the documents from which girih grew, by its name: "seed 000" to "seed 004". ok is false for any
// other name.
func Seed(name string) (text string, ok bool) {
	for i, s := range seeds() {
		if name == "seed 00"+string(rune('0'+i)) {
			return s, true
		}
	}
	return "", false
}
