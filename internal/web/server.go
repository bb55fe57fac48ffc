package web

import (
	"embed"
	"io"
	"io/fs"
	"net/http"

	"girih/internal/service"
)

//go:embed dist
var dist embed.FS

// Handler returns the handler of the explorer: the page, and POST api/OPERATION with the request as JSON.
func Handler() http.Handler {
	page, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is embedded
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page))
	mux.HandleFunc("POST /api/{op}", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, service.MaxRequest))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(service.Do(r.PathValue("op"), body))
	})
	return mux
}
