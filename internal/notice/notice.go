// Package notice returns the licences of everything that girih ships in addition to its own code: the linked modules,
// Go's library, the font and the library of the page.
package notice

import (
	_ "embed"

	"girih/internal/packed"
)

// compressed is NOTICE in gzip, 70 kB smaller.
//
//go:generate go run girih/internal/cmd/release notice NOTICE
//go:embed NOTICE.gz
var compressed []byte

// Text names the parts with their licences, followed by the texts of the licences. It is NOTICE at the root of the
// repository.
func Text() string { return string(packed.Bytes(compressed)) }
