// Package notice contains the licences of the code that girih ships in addition to its own: the linked modules, Go's
// library, the font and the library of the page.
package notice

import _ "embed"

// Text names the parts with their licences, and has the texts of these. It is NOTICE at the root of the repository.
//
//go:generate go run girih/internal/cmd/release notice NOTICE
//go:embed NOTICE
var Text string
