// Command bundle makes dist out of ui: one script, one style sheet and the page. It runs esbuild as the tools of the repository
// pin it, without npm: the one library, Preact, is in ui/vendor.
package main

import (
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	if err := bundle("ui", "dist"); err != nil {
		log.Fatal(err)
	}
}

// bundle runs in the folder of package web.
func bundle(from, to string) error {
	vendor := filepath.Join(from, "vendor")
	cmd := exec.Command("go", "tool", "-modfile=../tools/go.mod", "esbuild",
		filepath.Join(from, "main.tsx"), filepath.Join(from, "style.css"),
		"--bundle", "--minify", "--charset=utf8", "--format=esm", "--target=es2022", "--log-level=warning",
		"--jsx=automatic", "--jsx-import-source=preact",
		"--alias:preact=./"+filepath.Join(vendor, "preact.mjs"),
		"--alias:preact/hooks=./"+filepath.Join(vendor, "hooks.mjs"),
		"--alias:preact/jsx-runtime=./"+filepath.Join(vendor, "jsxRuntime.mjs"),
		"--entry-names=[name]", "--outdir="+to)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	for _, r := range [][2]string{{"main.js", "app.js"}, {"style.css", "app.css"}} {
		if err := os.Rename(filepath.Join(to, r[0]), filepath.Join(to, r[1])); err != nil {
			return err
		}
	}
	page, err := os.ReadFile(filepath.Join(from, "index.html"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "index.html"), page, 0o644)
}
