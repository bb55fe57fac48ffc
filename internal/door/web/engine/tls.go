package engine

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// noTLS is the panic of a function of crypto/tls that is left out.
const noTLS = "this girih has no TLS"

// tlsOnly are the packages of the standard library that only TLS uses: itself, certificates, and keys.
var tlsOnly = []string{
	"crypto/tls", "crypto/x509", "crypto/ecdh", "crypto/ecdsa", "crypto/ed25519", "crypto/elliptic", "crypto/hpke",
	"crypto/mlkem", "crypto/rsa",
}

// keysOnly are the packages below them. Nothing runs when they start: that would keep a table of 88 kB.
var keysOnly = []string{
	"crypto/internal/fips140/ecdh", "crypto/internal/fips140/ecdsa", "crypto/internal/fips140/nistec",
	"crypto/internal/fips140/rsa", "crypto/internal/fips140/tls13",
}

// WithoutTLS writes files to dir with which go build -overlay leaves TLS out of girih, and returns the name of the file
// for that flag. A server of net/http links all of crypto/tls, certificates and keys, a twentieth of the binary, since
// a connection might be encrypted. girih serve accepts plain connections only, and nothing in girih opens any. dir is
// an absolute path.
func WithoutTLS(dir string) (string, error) {
	left := map[string]choice{}
	for _, pkg := range tlsOnly {
		left[pkg] = choice{}
	}
	for _, pkg := range keysOnly {
		left[pkg] = choice{starts: true}
	}
	return overlay(dir, noTLS, left, func(pkg string) ([]string, error) {
		const files = "{{range .GoFiles}}{{$.Dir}}/{{.}}\n{{end}}"
		out, err := exec.Command("go", "list", "-tags=purego", "-f", files, pkg).Output()
		if err != nil {
			return nil, fmt.Errorf("go list %s: %w", pkg, err)
		}
		var names []string
		for name := range strings.Lines(strings.TrimSpace(string(out))) {
			names = append(names, filepath.FromSlash(strings.TrimSpace(name)))
		}
		return names, nil
	})
}
