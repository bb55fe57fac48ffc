//go:build !js

package glossary

import _ "embed"

// compressed is the packed table in gzip.
//
//go:generate go run girih/internal/cmd/release glossary .
//go:embed glossary.json.gz
var compressed []byte
