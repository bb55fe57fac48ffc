// Command bundle builds dist from ui: the script of the page, two scripts for pages without a server,
// one style sheet, the page itself, and the preview picture that is shown with links to the page. Bundle runs the
// version of esbuild that the repository's tools pin, without npm. The only library, Preact, is in ui/vendor.
//
//	go run ./bundle                                  in internal/door/web, after every change of ui (go generate does it, too)
//	go run ./internal/door/web/bundle -engine        at the root of the module, for a release
//	go run ./internal/door/web/bundle -kernels DIR   at the root of the module, for a site
//
// esbuild makes app.js.gz and app.css.gz, which are gzipped, and engine-worker.js and first.js, which are not.
// index.html is copied, and preview.png with fewer colors. zh.json.gz has the texts of the lessons and of the words
// around them in Chinese. Outside of dist the run writes ui/palette.json, the colors of package draw, and
// ui/thumbs.json, small pictures of the examples of the first page. With -engine, bundle writes only the WebAssembly
// engines that a build with -tags engine embeds. With -kernels, it writes only the engine that runs kernels, which a
// site has in addition.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"girih/internal/door/web/deflate"
	"girih/internal/door/web/engine"
)

func main() {
	log.SetFlags(0)
	withEngine := flag.Bool("engine", false, "write the engines of a release instead, to internal/door/web/embedded; run it at the root of the module")
	kernels := flag.String("kernels", "", "write the engine that runs kernels instead, which only a site has, to this `folder`; run it at the root of the module")
	level := flag.Int("level", 11, "how hard Brotli and gzip try to make the engines small, from 0 to 11; 11 takes minutes")
	flag.Parse()
	run := func() error { return bundle("ui", "dist") }
	source := engine.Source{Root: ".", Level: *level, Progress: os.Stderr}
	if *withEngine {
		run = func() error { return release(source.Page, filepath.Join("internal", "door", "web", "embedded")) }
	}
	if *kernels != "" {
		run = func() error { return release(source.Site, *kernels) }
	}
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

// release writes the files of the engines that build builds.
func release(build func(context.Context) (engine.Engine, error), to string) error {
	e, err := build(context.Background())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for name, content := range e {
		if err := os.WriteFile(filepath.Join(to, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// bundle runs in the folder of package web.
func bundle(from, to string) error {
	if err := palette(filepath.Join(from, "palette.json")); err != nil {
		return err
	}
	if err := thumbs(from); err != nil {
		return err
	}
	vendor := filepath.Join(from, "vendor")
	cmd := exec.Command("go", "tool", "-modfile=../../tools/go.mod", "esbuild",
		filepath.Join(from, "main.tsx"), filepath.Join(from, "engine-worker.ts"),
		filepath.Join(from, "first.ts"), filepath.Join(from, "style.css"),
		"--bundle", "--minify", "--legal-comments=eof", "--charset=utf8", "--format=esm", "--target=es2022", "--log-level=warning",
		"--jsx=automatic", "--jsx-import-source=preact",
		"--alias:preact=./"+filepath.Join(vendor, "preact.mjs"),
		"--alias:preact/hooks=./"+filepath.Join(vendor, "hooks.mjs"),
		"--alias:preact/jsx-runtime=./"+filepath.Join(vendor, "jsxRuntime.mjs"),
		"--entry-names=[name]", "--outdir="+to)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	for _, r := range [][2]string{{"main.js", "app.js.gz"}, {"style.css", "app.css.gz"}} {
		made := filepath.Join(to, r[0])
		content, err := os.ReadFile(made)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, r[1]), deflate.Gzip(content), 0o644); err != nil {
			return err
		}
		if err := os.Remove(made); err != nil {
			return err
		}
	}
	if err := language(from, to, "zh"); err != nil {
		return err
	}
	for _, name := range []string{"index.html", "preview.png"} {
		file, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if name == "preview.png" {
			if file, err = reduce(file); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(to, name), file, 0o644); err != nil {
			return err
		}
	}
	return nil
}
