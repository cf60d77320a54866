import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/style.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { applyRememberedTheme } from './app/use-theme.ts';
import { ServerError } from './data/request.ts';
import { listenToKeys } from './keys/use-keys.ts';

const retriesMax = 2;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      // What the server refuses it refuses again.
      retry: (count, error) =>
        count < retriesMax && error instanceof ServerError && (error.status === 0 || error.status === 503),
    },
  },
});

applyRememberedTheme();
listenToKeys();
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
