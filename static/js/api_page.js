/* The API's description as a page. Nothing of it is kept: a token that was pasted goes with the page. */

const place = document.getElementById("api-page");

/** Swagger UI's parts in the order that this page has room for: it has a heading and a main part of its own already. */
const inThisPage = ({ React }) => ({
  components: {
    PageLayout: ({ getComponent, specSelectors }) => {
      const part = (name) => React.createElement(getComponent(name, true), { key: name });
      const told = specSelectors.info().get("description");
      const words = told && React.createElement(getComponent("Markdown", true), { key: "told", source: told });
      const parts = [part("SvgAssets"), words, part("errors"), part("AuthorizeBtnContainer"), part("operations")];
      return React.createElement("div", { className: "swagger-ui" }, parts);
    },
  },
});

window.SwaggerUIBundle({
  url: place.dataset.description,
  domNode: place,
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [inThisPage],
  layout: "PageLayout",
  // A link inside the button that opens an address could not be reached by everybody.
  deepLinking: false,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  persistAuthorization: false,
  // The token says who asks; no cookie has to.
  requestInterceptor: (request) => ({ ...request, credentials: "omit" }),
  validatorUrl: null,
});

// The button that closes the dialog of tokens is a cross without a name.
new MutationObserver(() => {
  for (const button of place.querySelectorAll(".close-modal:not([aria-label])")) button.setAttribute("aria-label", place.dataset.close);
}).observe(place, { childList: true, subtree: true });
